package board

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/sandbox"
	"gatewright/sandbox/traffic"
)

func TestCountsAreThoseOfTheirEnvironmentAPIAndPath(t *testing.T) {
	t.Parallel()
	c := NewCounts(traffic.Report{
		Functions: []traffic.Counts{{Environment: "dev", Function: "f", Calls: 1}, {Environment: "qa", Function: "f", Calls: 2}, {Environment: "qa", Function: "g", Calls: 3}},
		Paths: []traffic.Counts{
			{Environment: "dev", API: "shop", Path: "/a", Calls: 4}, {Environment: "dev", API: "admin", Path: "/a", Calls: 5}, {Environment: "qa", API: "shop", Path: "/a", Calls: 6},
		},
	})
	got := []int{
		c.Function("dev", "f").Calls, c.Function("qa", "f").Calls, c.Function("qa", "g").Calls,
		c.Path("dev", "shop", "/a").Calls, c.Path("dev", "admin", "/a").Calls, c.Path("qa", "shop", "/a").Calls,
	}
	if !slices.Equal(got, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("the calls are %v", got)
	}
	if c.Function("dev", "g") != nil || c.Path("qa", "admin", "/a") != nil || c.Path("dev", "shop", "/b") != nil {
		t.Error("what was not called has counts")
	}
}

func TestCountsLookTheSameOnlyIfNothingThatIsShownDiffers(t *testing.T) {
	t.Parallel()
	report := func() traffic.Report {
		return traffic.Report{
			Window: traffic.Hour, Bytes: 1, Kept: 2, Functions: []traffic.Counts{{Function: "f", Calls: 1}}, Paths: []traffic.Counts{{Path: "/a", Calls: 1}}, Whole: []traffic.Counts{{Environment: "dev", Calls: 1}},
		}
	}
	one := NewCounts(report())
	for what, change := range map[string]func(r *traffic.Report){
		"window": func(r *traffic.Report) { r.Window = traffic.All }, "bytes": func(r *traffic.Report) { r.Bytes++ }, "kept": func(r *traffic.Report) { r.Kept++ },
		"functions": func(r *traffic.Report) { r.Functions[0].Calls++ }, "paths": func(r *traffic.Report) { r.Paths[0].P95++ }, "whole": func(r *traffic.Report) { r.Whole[0].Failed++ },
	} {
		r := report()
		change(&r)
		if other := NewCounts(r); other.sameAs(one) || one.sameAs(other) {
			t.Errorf("with other %s they look the same", what)
		}
	}
	later := report()
	later.Until = time.Now()
	var none *Counts
	if !NewCounts(later).sameAs(one) || none.sameAs(one) || one.sameAs(none) || !none.sameAs(none) {
		t.Error("the same later, or none, is compared wrongly")
	}
}

func TestTheLinesOfCallsHaveEachNumberInItsPlace(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.Local)
	env := &Environment{Environment: &model.Environment{Name: "dev"}}
	b := &Board{
		Snap: &Snapshot{Backend: &model.Backend{}, Env: env},
		Sandbox: &Observed{
			Running: true, Status: sandbox.Status{APIs: []sandbox.ServedAPI{{Environment: "dev", Label: "shop"}}},
			Counts: NewCounts(traffic.Report{Window: traffic.FiveMinutes, From: noon.Add(-time.Minute), Until: noon}),
		},
	}
	of := &traffic.Counts{
		Calls: 7, Failed: 2, Refused: 3, P50: 2 * time.Millisecond, P95: 40 * time.Millisecond, Most: 600 * time.Millisecond, Last: noon.Add(-time.Second),
		Steps: []traffic.Step{{At: 0, Calls: 1}},
	}
	const spark = "▅·····························"
	text := func(lines []prose.Line) string {
		var all []string
		for _, line := range lines {
			all = append(all, fmt.Sprintf("%s%s", map[prose.Tone]string{prose.Bad: "bad: ", prose.Muted: "muted: "}[line.Tone], line.Text))
		}
		zone := noon.Format("MST")
		return strings.ReplaceAll(strings.Join(all, "\n"), " "+zone, " ZONE")
	}
	if got, want := text(b.FunctionLines(of)), "bad: 7 calls, 2 failed, 3 refused in 5 min\np50 2.0 ms   p95 40 ms   slowest 600 ms   "+spark+"\nmuted: the last at 11:59:59 ZONE"; got != want {
		t.Errorf("the lines of a function are\n%s\nwant\n%s", got, want)
	}
	of.Failed, of.Refused, of.Calls = 0, 0, 1
	if got := text(b.PathLines(of)); !strings.HasPrefix(got, "1 request, 0 failed in 5 min\n") {
		t.Errorf("the lines of a path are\n%s", got)
	}
	if got := text(b.PathLines(nil)); got != "muted: not called in 5 min" {
		t.Errorf("of a path that was not called: %s", got)
	}
	if got := b.CountedIn(); got != ", calls in 5 min" {
		t.Errorf("the legend has %q", got)
	}
	b.window.value.Store(traffic.All)
	if got := b.InWindow(); !strings.HasPrefix(got, "since 11:59:00 ") || b.Window() != "all" {
		t.Errorf("of all calls: %q, %q", got, b.Window())
	}
	env.Name = "qa"
	if got := text(b.FunctionLines(of)); got != "muted: the sandbox does not serve environment qa" || b.PathLines(of) != nil {
		t.Errorf("of an environment that is not served: %s", got)
	}
	b.Sandbox.Status.Pools = []sandbox.ServedPool{{Environment: "qa"}}
	if !b.Sandbox.Serves("qa") {
		t.Error("an environment of which only the pool is served is not served")
	}
	b.Sandbox.Running = false
	if got := text(b.FunctionLines(of)); got != "muted: no sandbox is running" || b.PathLines(of) != nil || b.CountedIn() != "" || b.InWindow() != "in all" {
		t.Errorf("without a sandbox: %s, %q, %q", got, b.CountedIn(), b.InWindow())
	}
	b.Sandbox = nil
	if b.FunctionLines(of) != nil {
		t.Error("before it is known whether a sandbox runs, there are lines")
	}
}

func TestRowsAreOrderedByTheirCallsAndThoseWithoutAreLast(t *testing.T) {
	t.Parallel()
	counts := map[string]*traffic.Counts{
		"a": {Calls: 1, Failed: 1, P95: time.Second}, "b": {Calls: 9, Failed: 3, P95: time.Millisecond}, "c": {Calls: 4, P95: 2 * time.Second}, "none": nil,
	}
	of := func(name string) *traffic.Counts { return counts[name] }
	for at, want := range []string{"failures: b a c none", "p95: c a b none"} {
		sort := CountSorts(of)[at]
		names := []string{"none", "c", "b", "a"}
		slices.SortStableFunc(names, sort.Compare)
		if got := sort.Name + ": " + strings.Join(names, " "); got != want {
			t.Errorf("the order is %s, want %s", got, want)
		}
	}
	b := &Board{Sandbox: &Observed{Running: true}}
	row := func(name string) string {
		var cells []string
		for _, column := range CountColumns(b, of) {
			cells = append(cells, column.Title+"="+strings.TrimSpace(column.Text(name)))
		}
		return strings.Join(cells, " ")
	}
	if got := row("b"); got != "calls=9 failed=3 p95=1.0 ms over time=··········" {
		t.Errorf("the row is %s", got)
	}
	if got := row("none"); got != "calls=- failed= p95= over time=" {
		t.Errorf("without calls it is %s", got)
	}
	b.Sandbox.Running = false
	if got := row("none"); got != "calls= failed= p95= over time=" {
		t.Errorf("without a sandbox it is %s", got)
	}
	tones := func(name string) string {
		var all []string
		for _, column := range CountColumns(b, of) {
			all = append(all, map[prose.Tone]string{prose.Bad: "bad", prose.Warning: "slow", prose.Muted: "-"}[column.Tone(name)])
		}
		return strings.Join(all, " ")
	}
	for name, want := range map[string]string{"a": "- bad slow bad", "c": "- - slow -", "none": "- - - -"} {
		if got := tones(name); got != want {
			t.Errorf("the tones of %s are %s", name, got)
		}
	}
}

func TestEachMarkHasItsGlyphItsMeaningAndItsPlaceInTheOrder(t *testing.T) {
	t.Parallel()
	var lines []string
	all := []Mark{Unknown, Same, Added, Changed, FunctionChanged, Gone, Absent}
	for _, m := range all {
		lines = append(lines, m.Line().Text+" | "+m.Means("de\x1bv"))
	}
	want := ` | ` + `
= no change | unchanged
+ new | new: a push of de␛v creates it
~ changed | changed since the last push of de␛v
~ function | unchanged, but a push changes its function:
- removed | removed: a push of de␛v deletes it
· not here | de␛v does not have this API`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("the marks are\n%s\nwant\n%s", got, want)
	}
	slices.SortStableFunc(all, PushSort(func(m Mark) Mark { return m }).Compare)
	if !slices.Equal(all, []Mark{Added, Changed, Gone, FunctionChanged, Same, Absent, Unknown}) {
		t.Errorf("the order is %v", all)
	}
	for operation, want := range map[diff.Operation]Mark{diff.ToCreate: Added, diff.ToUpdate: Changed, diff.ToDelete: Gone, diff.NoChange: Same} {
		if got := Of(operation); got != want {
			t.Errorf("%v has the mark %q", operation, got.Line().Text)
		}
	}
	column := PushColumn(func(m Mark) Mark { return m })
	if column.Text(Gone) != "- removed" || column.Brief(Gone) != "-" || column.Tone(Gone) != prose.Removed || column.Tone(Added) != prose.Added {
		t.Errorf("the column has %q and %q", column.Text(Gone), column.Brief(Gone))
	}
}

func TestAnEnvironmentSaysWhenItWasPushed(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Environment{
		"deployed by the Amplify CLI": {Foreign: true, Pushing: true}, "is being pushed": {Pushing: true, Problem: "x"}, "last push unknown": {Problem: "x"}, "never pushed": {},
	} {
		if got := e.Pushed(); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
	o := &Observed{Running: true, Status: sandbox.Status{Address: "http://127.0.0.1:4280", APIs: []sandbox.ServedAPI{
		{Environment: "dev", Label: "shop", Endpoint: "1"}, {Environment: "qa", Label: "shop", Endpoint: "2"}, {Environment: "qa", Label: "admin", Endpoint: "3"},
	}}}
	if got := o.Endpoint("dev", "shop") + o.Endpoint("qa", "shop") + o.Endpoint("qa", "admin") + o.Endpoint("dev", "admin"); got != "123" || o.Address() != "127.0.0.1:4280" {
		t.Errorf("the endpoints are %s at %s", got, o.Address())
	}
	ended := &Observed{Status: o.Status}
	if ended.Endpoint("dev", "shop") != "" || ended.Address() != "" || ended.Serves("dev") {
		t.Error("a sandbox that has ended serves")
	}
}
