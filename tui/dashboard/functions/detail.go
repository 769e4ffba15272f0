package functions

import (
	"fmt"
	"slices"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/dashboard/board"
)

// describe gives the details of a row, the most important first.
func (t *Tab) describe(r *row) []prose.Line {
	all := []prose.Line{{Tone: r.mark.Line().Tone, Text: "function " + r.name + t.why(r)}}
	for _, reason := range r.reasons {
		all = append(all, prose.Line{Text: "  " + reason})
	}
	all = append(all, t.describeCalls(r)...)
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
	if c := t.callsOf(r); c != nil && len(c.tail) > 0 {
		all = append(all, prose.Line{}, prose.Line{Tone: prose.Muted, Text: "log in environment " + prose.PrintableStart(t.board.Snap.SandboxEnvironment()) + ", the latest first; L shows all of it:"})
		for _, entry := range slices.Backward(c.tail) {
			all = append(all, prose.InTone(prose.Plain, entry...)...)
		}
	}
	return all
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

// callsOf returns the last calls of a row's function; nil if no call is known.
func (t *Tab) callsOf(r *row) *callStats {
	return t.calls[callKey{t.board.Snap.SandboxEnvironment(), r.key}]
}

// sparksW is the width of a row's sparkline, lastW the width with the last duration.
const (
	sparksW = 12
	lastW   = sparksW + len(" 0.0 ms")
)

// lastCalls is the column of the last calls; "" if no sandbox runs.
func (t *Tab) lastCalls(r *row) string {
	if !t.board.Sandbox.Runs() {
		return ""
	}
	c := t.callsOf(r)
	if c == nil || len(c.durations) == 0 {
		return "-"
	}
	last := lastOf(c.durations, sparksW)
	text := sparkline(last) + " " + formatDuration(last[len(last)-1])
	if c.failed > 0 {
		text += fmt.Sprintf(", %d failed", c.failed)
	}
	return text
}

// describeCalls describes the last calls.
func (t *Tab) describeCalls(r *row) []prose.Line {
	c := t.callsOf(r)
	switch {
	case t.board.Sandbox == nil || r.definition == nil:
		return nil
	case !t.board.Sandbox.Running:
		return prose.InTone(prose.Muted, "no sandbox runs")
	case !t.board.Sandbox.Serves(t.board.Snap.SandboxEnvironment()):
		return prose.InTone(prose.Muted, "the sandbox does not serve environment "+prose.PrintableStart(t.board.Snap.SandboxEnvironment()))
	case c == nil || len(c.durations) == 0:
		return prose.InTone(prose.Muted, "not called yet in the sandbox")
	}
	sorted := slices.Sorted(slices.Values(c.durations))
	all := []prose.Line{{Text: fmt.Sprintf("%s  last %s, median %s, slowest %s of the last %s; the last at %s",
		sparkline(c.durations), formatDuration(c.durations[len(c.durations)-1]), formatDuration(sorted[len(sorted)/2]), formatDuration(sorted[len(sorted)-1]),
		model.Count(len(sorted), "call"), c.last.Local().Format("15:04:05"))}}
	if c.failed > 0 {
		all = append(all, prose.Line{Tone: prose.Bad, Text: fmt.Sprintf("! %d of %s logged an error", c.failed, model.Count(c.count, "call"))})
	}
	return all
}
