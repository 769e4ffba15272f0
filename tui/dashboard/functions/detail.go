package functions

import (
	"fmt"
	"slices"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// describe gives the details of a row, the most important first.
func (t *Tab) describe(r *row) []prose.Line {
	all := []prose.Line{{Tone: r.mark.Line().Tone, Text: "function " + r.name + t.why(r)}}
	for _, reason := range r.reasons {
		all = append(all, prose.Line{Text: "  " + reason})
	}
	if r.definition != nil {
		all = append(all, t.board.FunctionLines(t.countsOf(r))...)
	}
	if t.board.Viewer() != nil && t.nameTone(r) == prose.Muted {
		all = append(all, prose.Line{Tone: prose.Muted, Text: t.board.Viewer().Name() + " cannot reach it through any path"})
	}
	all = append(all, prose.Line{})
	const most = 12
	for i, p := range r.paths {
		if i == most {
			all = append(all, prose.Line{Tone: prose.Muted, Text: fmt.Sprintf("and %d more paths", len(r.paths)-most)})
			break
		}
		all = append(all, prose.Line{Text: prose.PrintableStart("serves " + p.path + " of the API " + p.api)})
	}
	if r.definition != nil && len(r.paths) == 0 {
		all = append(all, prose.Line{Tone: prose.Muted, Text: "serves no path"})
	}
	all = append(append(all, prose.Line{}), r.facts...)
	if r.mark == board.Unknown && t.board.Snap.Status.Problem != "" {
		all = append(all, prose.Line{Tone: prose.Muted, Text: t.board.Snap.Status.Problem})
	}
	return append(all, t.logLines(r)...)
}

// logLines are the end of the log of a row, the latest first.
func (t *Tab) logLines(r *row) (all []prose.Line) {
	entries := t.tailOf(r)
	if len(entries) == 0 {
		return nil
	}
	where := ""
	if t.board.Snap.Env.InAWS() {
		where = ", in the sandbox"
	}
	all = append(all, prose.Line{},
		prose.Line{Tone: prose.Muted, Text: "log of environment " + prose.PrintableStart(t.board.Snap.Name()) +
			where + ", the latest first:"})
	day := ""
	for _, e := range slices.Backward(entries) {
		if e.day != day {
			day = e.day
			all = append(all, prose.Line{Tone: prose.Muted, Text: day})
		}
		all = append(all, e.lines...)
	}
	return all
}

// beside shows the calls of a function, and the end of its log.
func (t *Tab) beside(r *row) board.Third {
	const most = 12
	title := "calls and log of " + r.name
	third := t.board.Calls(title, func(c *traffic.Call) bool { return c.Function == r.key })
	if log := t.logLines(r); len(log) > 0 {
		calls := third.Lines[:min(len(third.Lines), most)]
		third = board.Third{Title: title, Lines: append(calls, log...), Last: len(log)}
	}
	return third
}

// why says what the mark of a row means, as the end of a sentence.
func (t *Tab) why(r *row) string {
	switch r.mark {
	case board.Unknown:
		return ""
	case board.Changed:
		return " " + r.mark.Means(t.board.Snap.Name())
	}
	return " is " + r.mark.Means(t.board.Snap.Name())
}
