package board

import (
	"strings"
	"testing"
	"time"

	"gatewright/internal/clock"
	"gatewright/sandbox/traffic"
)

func TestASparklineShowsCallsAndWithoutColourWhereTheyFailed(t *testing.T) {
	t.Parallel()
	of := &traffic.Counts{Steps: []traffic.Step{{At: 0, Calls: 1}, {At: 3, Calls: 8}, {At: 4, Calls: 2, Failed: 1}, {At: 29, Calls: 16}}}
	for w, want := range map[int]string{30: "▁··▄!" + "························"[:24*len("·")] + "█", 10: "▁!·······█", 1: "!", 0: "!"} {
		if got := Sparkline(of, w); got != want {
			t.Errorf("in %d cells it is %q, want %q", w, got, want)
		}
	}
}

func TestWhatWasNotCalledSaysSinceWhen(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 3, 1, 12, 0, 10, 0, time.UTC)
	o := &Observed{Running: true, Counts: NewCounts(traffic.Report{Window: traffic.All, From: until.Add(-time.Minute), Until: until})}
	if got := o.NotCalled(); !strings.HasPrefix(got, "not called since ") || !strings.HasSuffix(got, clock.Zone(until)) || strings.Contains(got, "-") {
		t.Errorf("of what was not called it says %q", got)
	}
	o.Counts.From = until.AddDate(0, 0, -2)
	if got := o.NotCalled(); !strings.Contains(got, clock.Day(o.Counts.From)) {
		t.Errorf("of what was not called for days it says %q", got)
	}
	o.Counts.Window = traffic.Hour
	if got := o.NotCalled(); got != "not called in 1 h" {
		t.Errorf("of what was not called in a window it says %q", got)
	}
	var none *Counts
	if none.Function("dev", "f") != nil || none.Path("dev", "shop", "/x") != nil {
		t.Error("without a report something was counted")
	}
}

func TestTheLastCallHasItsDayIfThatIsNotToday(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.Local)
	b := &Board{Sandbox: &Observed{Running: true, Counts: NewCounts(traffic.Report{Window: traffic.FiveMinutes, Until: noon})}}
	of := &traffic.Counts{Calls: 2, Failed: 1, Last: noon.Add(-time.Minute), LastFailed: noon.AddDate(0, 0, -1)}
	lines := b.callLines(of, "call")
	if got, want := lines[len(lines)-1].Text, "the last at 11:59:00, the last that failed at 2026-03-01 12:00:00 "+clock.Zone(noon); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}
