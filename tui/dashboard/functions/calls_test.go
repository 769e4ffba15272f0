package functions

import (
	"strings"
	"testing"
	"time"

	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dashboard/board/boardtest"
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
	t.Parallel()
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

func TestTheLogOfAFunctionNamesDaysAndZone(t *testing.T) {
	t.Parallel()
	tab := shows(t, workshop(t))
	r := tab.named("f")
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.Local)
	tab.tail = &tail{environment: tab.board.Snap.Name(), function: r.key}
	for _, l := range []logs.Line{{Time: midnight.Add(-time.Second), Text: "old"}, {Time: midnight, Text: "new"}, {Time: midnight.Add(time.Second), Text: "newest"}} {
		tab.tail.add(l)
	}
	got := strings.Join(prose.Texts(tab.describe(r)), "\n")
	zone := midnight.Format("MST")
	want := "2026-03-02 " + zone + "\n00:00:01.000       newest\n00:00:00.000       new\n2026-03-01 " + zone + "\n23:59:59.000       old"
	if !strings.HasSuffix(got, want) {
		t.Errorf("the details are\n%s\nwant at their end\n%s", got, want)
	}
}

func TestEachKeyOfAFunctionSaysWhyItDoesNothing(t *testing.T) {
	t.Parallel()
	dir := workshop(t)
	for _, of := range []struct {
		name, want string
		state      func(tab *Tab)
	}{
		{"one that serves paths", `enter show all*
ctrl+e source*
L log*
t test*
a new function*
e change*
d,delete remove*
W window
y,alt+y copy`, func(tab *Tab) { tab.List.Show("f") }},
		{"one that serves none", `enter show all*
ctrl+e source*
L log*
t test: it serves no path; run: gatewright mock function mail
a new function*
e change*
d,delete remove*
W window
y,alt+y copy`, func(tab *Tab) { tab.List.Show("mail") }},
		{"one that is removed", `enter show all*
ctrl+e source: the project no longer has it
L log*
t test: the project no longer has it
a new function*
e change: the project no longer has it
d,delete remove: the project no longer has it
W window
y,alt+y copy`, func(tab *Tab) { tab.List.SetRows([]*row{{name: "gone", key: "gone"}}) }},
		{"read only", `enter show all*
ctrl+e source: this dashboard is read-only: run gatewright instead
L log*
t test*
a new function: this dashboard is read-only: run gatewright instead
e change: this dashboard is read-only: run gatewright instead
d,delete remove: this dashboard is read-only: run gatewright instead
W window
y,alt+y copy`, func(tab *Tab) { tab.List.Show("f"); tab.board.Session = nil }},
		{"an Amplify project", `enter show all*
ctrl+e source*
L log*
t test*
a new function: the Amplify CLI manages these functions: run amplify add function
e change: the Amplify CLI manages these functions: run amplify update function
d,delete remove: the Amplify CLI manages these functions: run amplify remove function
W window
y,alt+y copy`, func(tab *Tab) { tab.List.Show("f"); tab.board.Snap.Layout = project.Amplify }},
		{"no environment", `enter show all*
ctrl+e source*
L log: the project has no environment; add one with: gatewright add env NAME
t test*
a new function*
e change*
d,delete remove*
W window
y,alt+y copy`, func(tab *Tab) {
			tab.List.Show("f")
			tab.board.Snap.Env = nil
			tab.board.Snap.Backend = new(model.Backend)
		}},
		{"none", `a new function*`, func(tab *Tab) { tab.List.SetRows(nil) }},
	} {
		tab := shows(t, dir)
		tab.board.Session = &session.Session{Editor: "vi"}
		of.state(tab)
		if got := boardtest.Keys(tab.Bindings()); got != of.want {
			t.Errorf("%s:\n%s\nwant\n%s", of.name, got, of.want)
		}
	}
}
