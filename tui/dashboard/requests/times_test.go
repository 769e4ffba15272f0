package requests

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/requests/strip"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// timed is call n with its parts, in milliseconds; those of 0 did not happen.
func timed(n uint64, milliseconds ...int) traffic.Call {
	c := made(n)
	c.Took = 0
	for i, ms := range milliseconds {
		if took := time.Duration(ms) * time.Millisecond; ms > 0 {
			c.Parts, c.Took = append(c.Parts, traffic.Part{Kind: traffic.PartKinds[i], Took: took}), c.Took+took
		}
	}
	return c
}

// coldCall has uses and a log in its parts.
func coldCall() (traffic.Call, []logs.Line) {
	c := timed(1, 2, 0, 0, 398, 1600)
	c.Uses = []traffic.Use{
		{Resource: "table/books", Operation: "PutItem", At: 500 * time.Millisecond, Took: 3 * time.Millisecond},
		{Resource: "pool", Operation: "ListUsers", At: 501 * time.Millisecond, Took: time.Millisecond, Failed: true, Why: "it may\x1b not"},
	}
	c.UsesLeft = 2
	return c, []logs.Line{
		{Time: c.Time.Add(time.Millisecond), Function: logs.Gateway, Level: logs.Warn, Text: "at the gate"},
		// It was written when the worker had the call, whenever it came out of the pipe.
		{Time: c.Time.Add(3 * time.Millisecond), Function: "f", Text: "early"},
		{Time: c.Time.Add(9 * time.Second), Function: "f", Text: "late"},
	}
}

// said are some lines of the details.
func (t *Tab) said(from, to int) string {
	lines := t.Detail()
	return frametest.Toned(lines[from:min(to, len(lines))]...) + "\n"
}

func TestThePartsOfARequestAreWalked(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	c, log := coldCall()
	tab.take([]*row{rowOf(timed(2, 1), noon), rowOf(c, noon)})
	tab.Detail()
	step := func(m keys.Meaning) { m.Do(tab.DetailBindings()) }
	step(keys.Right)
	tab.walked.log, tab.walked.read = log, true
	want := `.gate 2.0, start 398.0, handler 1,600.0 ms
*▸ gate 2.000 ms, 0.1 % of the time
?12:00:00.138 WARN  at the gate
`
	if difference := cmp.Diff(want, tab.said(1, 4)); difference != "" {
		t.Errorf("the gate is walked (-want +got):\n%s", difference)
	}
	step(keys.Right)
	if difference := cmp.Diff("*▸ start 398.000 ms, 19.9 % of the time\n.  nothing in the log is of this part\n", tab.said(2, 4)); difference != "" {
		t.Errorf("the start is walked (-want +got):\n%s", difference)
	}
	step(keys.Right)
	want = `*▸ handler 1,600.000 ms, 80.0 % of the time
   ▤ books put at 500.0, took 3.0 ms
!  ◇ pool listusers failed at 501.0, took 1.0 ms: it may␛ not
.  2 further uses, only counted
 12:00:00.140       early
 12:00:09.137       late
`
	if difference := cmp.Diff(want, tab.said(2, 8)); difference != "" {
		t.Errorf("the handler is walked (-want +got):\n%s", difference)
	}
	th, words := theme.New(theme.None), prose.Line{Text: strip.Words(&c)}
	lines := tab.DrawLine(th, words, 80)
	if len(lines) < 3 || layout.Width(lines[0]) != 80 || !strings.Contains(lines[0], th.Selected.Render("━ handler 1,600.0 "+strings.Repeat("━", 36))) {
		t.Errorf("the strip is\n%s", strings.Join(lines, "\n"))
	}
	if tab.DrawLine(th, words, 59) != nil || tab.DrawLine(th, prose.Line{Text: "x"}, 80) != nil {
		t.Error("more than the strip is drawn, or where it has no room")
	}
	step(keys.Right)
	if tab.walked != nil {
		t.Error("after the last part one is walked")
	}
	step(keys.Left)
	if tab.walked.kind != traffic.Handler || !strings.Contains(tab.said(2, 7), "its log is not read") {
		t.Errorf("before the first part it is\n%s", tab.said(0, 7))
	}
	got := frametest.Toned(sections(&traffic.Detail{Call: c}, grouped(&c, log, nil), 3)[5:]...) + "\n"
	want = `
#Time
.gate 2.0, start 398.0, handler 1,600.0 ms
*gate 2.000 ms
*start 398.000 ms
*handler 1,600.000 ms
   ▤ books put at 500.0, took 3.0 ms
!  ◇ pool listusers failed at 501.0, took 1.0 ms: it may␛ not
.  2 further uses, only counted

#Log (3 lines)
*gate
?12:00:00.138 WARN  at the gate
*handler
 12:00:00.140       early
 12:00:09.137       late
`
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("everything of it is (-want +got):\n%s", difference)
	}
}

func TestTwoRequestsAreCompared(t *testing.T) {
	t.Parallel()
	tab := begun(t)
	cold, _ := coldCall()
	tab.take([]*row{rowOf(cold, noon), rowOf(timed(2, 1, 4, 0, 0, 20, 1), noon), rowOf(made(3), noon)})
	tab.press(keys.Down)
	tab.press(keys.Down)
	tab.press(keys.Difference)
	if !strings.Contains(tab.said(1, 3), "go to another request to compare the two") {
		t.Errorf("the marked request says\n%s", tab.said(0, 4))
	}
	tab.press(keys.Up)
	want := `.gate 1.0, wait 4.0, handler 20.0, answer 1.0 ms
ithan marked: all -1,974.0 ms: gate -1.0, wait +4.0 (only here), start -398.0 (only there), handler -1,580.0, answer +1.0 (only here)
.marked: ` + rowOf(cold, noon).called + `, 200: gate 2.0, start 398.0, handler 1,600.0 ms
`
	if difference := cmp.Diff(want, tab.said(0, 3)); difference != "" {
		t.Errorf("compared it is (-want +got):\n%s", difference)
	}
	r, _ := tab.List.Row()
	lines := tab.DrawLine(theme.New(theme.None), prose.Line{Text: strip.Words(&r.call)}, 80)
	if len(lines) < 2 || !strings.Contains(lines[0], "2,000.0 ms, marked") || !strings.Contains(lines[1], "26.0 ms") {
		t.Errorf("the strips are\n%s", strings.Join(lines, "\n"))
	}
	tab.press(keys.Up)
	tab.press(keys.Difference) // a request whose time is not known leaves it, too
	if tab.marked != nil {
		t.Error("it is still marked")
	}
	if tab.press(keys.Difference); tab.marked != nil {
		t.Error("a request whose time was not measured is marked")
	}
}
