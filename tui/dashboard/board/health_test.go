package board

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/deploy/aws"
	"gatewright/deploy/remote"
	"gatewright/internal/prove"
	"gatewright/internal/text/prose"
)

func TestTheCallsOfAnEnvironmentAreSummedUpWithTheSlowestFunction(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for want, functions := range map[string][]remote.FunctionMetrics{
		"no call": {{Function: "a", P95: 9 * ms}},
		"7 calls, 1 error, p95 20 ms (b)": {
			{Function: "a", Calls: 3, Errors: 1, P50: 99 * ms, P95: 10 * ms, Throttled: 50}, {Function: "b", Calls: 4, P95: 20 * ms}, {Function: "c", P95: 99 * ms},
		},
		"1 call, 0 errors, p95 0 ms (a)":   {{Function: "a", Calls: 1}},
		"3 calls, 3 errors, p95 30 ms (a)": {{Function: "a", Calls: 1, Errors: 1, P95: 30 * ms}, {Function: "b", Calls: 2, Errors: 2, P95: 20 * ms}},
	} {
		if got := (&Health{Functions: functions}).Calls(); got != want && strings.ReplaceAll(got, "0.0 ms", "0 ms") != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

func TestWhatDiffersFromTheLastPushIsCountedAndToldTheMoreOpenMarked(t *testing.T) {
	t.Parallel()
	full := &aws.Drift{
		Cloud: []aws.Drifted{{Name: "function f", Texts: []string{"memory 1", "timeout 2"}}}, Template: []aws.Drifted{{Name: "table \x1bt", Texts: []string{"key"}}},
		Access: &prove.Report{
			Differences: []prove.Difference{
				{Who: "guests", Direction: prove.Less, Methods: []string{"GET", "HEAD"}, Path: "/a", Why: "so"}, {Who: "guests", Direction: prove.More, Methods: []string{"PUT"}, Path: "/b", Why: "too"},
			},
			Undecided: []string{"who signs"}, Notices: []string{"a notice"}, Refused: []prove.Difference{{}},
			Doors: []prove.Door{{Of: "the function f", Direction: prove.More, Why: "its role may do everything"}},
		},
		Unread: []string{"an alarm"}, Skipped: map[string]int{"AWS::Lambda::Permission": 2},
	}
	h := &Health{Drift: full}
	var lines []string
	for _, line := range h.Lines() {
		lines = append(lines, map[prose.Tone]string{prose.Wider: "wider: ", prose.Warning: "warning: ", prose.Muted: "muted: "}[line.Tone]+line.Text)
	}
	want := []string{
		"wider: the function f: its role may do everything", "GET, HEAD /a: guests may not; so", "wider: PUT /b: guests may; too", "warning: not known: who signs", "function f: memory 1; timeout 2", "table ␛t: key",
		"warning: an alarm", "warning: a notice", "muted: not compared: " + full.SkippedText(),
		"muted: not looked at: " + aws.NotLookedAt,
	}
	if difference := cmp.Diff(want, lines); difference != "" {
		t.Errorf("the lines differ (-want +got):\n%s", difference)
	}
	for want, h := range map[string]*Health{
		"2 parts, 4 in access, not all compared": h, "not known": {Unknown: "why", Drift: full}, "": {}, "none found": {Drift: &aws.Drift{Access: &prove.Report{}}},
		"1 part": {Drift: &aws.Drift{Access: &prove.Report{}, Template: full.Template}}, "1 in access": {Drift: &aws.Drift{Access: &prove.Report{Undecided: []string{"x"}}}},
	} {
		if got := h.Differs(); got != want {
			t.Errorf("it differs in %q, want %q", got, want)
		}
	}
	if got := (&Health{Unknown: "why", Drift: full}).Lines(); len(got) != 1 || got[0] != (prose.Line{Tone: prose.Warning, Text: "not known: why"}) || (&Health{}).Lines() != nil {
		t.Errorf("of what is not known the lines are %v", got)
	}
}
