package functions

import (
	"strings"
	"testing"
	"time"

	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// counted is a sandbox that counted calls of f.
func counted(calls, failed int, p95 time.Duration) *board.Observed {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	o := &board.Observed{Running: true}
	o.Counts = board.NewCounts(traffic.Report{Window: traffic.FiveMinutes, From: at, Functions: []traffic.Counts{{
		Environment: "dev", Function: "f", Calls: calls, Failed: failed, P50: p95 / 2, P95: p95, Most: p95, Last: at, Steps: []traffic.Step{{At: 3, Calls: calls, Failed: failed}, {At: 29, Calls: 1}},
	}}})
	return o
}

func TestFunctionsAreSortedByFailuresAndByTheirSlowCalls(t *testing.T) {
	tab := shows(t, workshop(t))
	o := counted(7, 2, 3*time.Second)
	tab.board.Sandbox = o
	tab.Observe(o)()
	for _, order := range []string{"failures", "p95"} {
		for tab.List.Sorted() != order {
			tab.orderNext()
		}
		if first := tab.List.Rows()[0]; strings.Fields(tab.drawn(120)[1])[0] != "f" {
			t.Errorf("by %s the first is %s:\n%s", order, first.name, strings.Join(tab.drawn(120), "\n"))
		}
	}
	if text := strings.Join(tab.drawn(120), "\n"); !strings.Contains(text, "7       2  3.0 s  ·!·······▂") {
		t.Errorf("the rows are\n%s", text)
	}
}
