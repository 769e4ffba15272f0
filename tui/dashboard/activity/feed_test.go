package activity

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/sandbox/logs"
)

// lineOf is a line of a function of dev, n seconds after the others.
func lineOf(n int, function, request string, level logs.Level, text string) logs.Line {
	return logs.Line{Time: time.Unix(1700000000+int64(n), 0), Environment: "dev", Function: function, Request: request, Level: level, Text: text}
}

func TestEntriesAreRefusalsCodesAndErrors(t *testing.T) {
	t.Parallel()
	feed := entriesOf([]logs.Line{
		lineOf(0, "f", "a", logs.Info, "nothing of note"),
		lineOf(1, "f", "a", logs.Platform, "END RequestId: a"),
		lineOf(2, logs.Gateway, "a", logs.Warn, "GET /books 403: nobody may"),
		lineOf(3, logs.Identity, "", logs.Info, "the code for the sign-up of ann is 123456"),
		lineOf(4, "f", "a", logs.Error, "TypeError: x\n  at y"),
	})
	var got []string
	for _, h := range feed {
		got = append(got, h.kind+": "+h.text)
	}
	want := []string{"refused: GET /books 403: nobody may", "code: the code for the sign-up of ann is 123456", "error: function f: TypeError: x"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnEntryOfTheSandboxAndItsLogIsShownOnce(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0)
	code := entry{at: at, environment: "dev", kind: codeWord, text: "the code is 1"}
	later := code
	later.at = at.Add(time.Second)
	muchLater := code
	muchLater.at = at.Add(time.Hour)
	refused := entry{at: at.Add(-time.Second), environment: "dev", kind: "refused", text: "GET /"}
	got := merge([]entry{code}, []entry{refused, later, muchLater})
	if diff := cmp.Diff([]entry{refused, code, muchLater}, got, cmp.AllowUnexported(entry{})); diff != "" {
		t.Error(diff)
	}
}

func TestEntriesOfAnotherDayHaveTheDayAbove(t *testing.T) {
	t.Parallel()
	tab := shows(t)
	evening := time.Date(2026, 3, 1, 23, 59, 0, 0, time.Local)
	tab.own = []entry{
		{at: evening, environment: "dev", kind: "push", text: "before midnight"},
		{at: evening.Add(2 * time.Minute), environment: "dev", kind: "push", text: "after midnight"},
		{at: evening.Add(3 * time.Minute), environment: "dev", kind: "push", text: "later"},
	}
	tab.layOut()
	var got []string
	for _, r := range tab.List.Rows()[len(tab.List.Rows())-5:] {
		got = append(got, r.title)
	}
	want := []string{"2026-03-01 " + evening.Format("MST"), "push", "2026-03-02 " + evening.Format("MST"), "push", "push"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
