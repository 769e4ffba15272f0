package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// functionsTab shows the handler functions: what the files say of each, and what
// the sandbox says of its last calls.
type functionsTab struct {
	functionTable
	page     *Page
	env      *environment
	layout   project.Layout
	untold   string
	observed *observed
	// reading is the log that the dialog on top shows; nil for none.
	reading *logReading
}

func (f *functionsTab) title() string { return "Functions" }

func (f *functionsTab) take(s *snapshot) tea.Cmd {
	f.functionTable, f.env, f.layout, f.untold = s.functions, s.env, s.layout, s.status.untold
	// The snapshot is everybody's: another order is of this tab alone.
	f.rows, f.list = slices.Clone(f.rows), slices.Clone(f.list)
	return nil
}

func (f *functionsTab) observe(o *observed) tea.Cmd {
	f.observed = o
	return nil
}

func (f *functionsTab) entries() []entry { return f.list }

func (f *functionsTab) sortings() []string { return functionOrders }

func (f *functionsTab) sortBy(n int) { f.order(n) }

func (f *functionsTab) empty() string {
	return "no function yet: the wizard makes one with an API, or run: gatewright add function"
}

// calls are what is known of the last calls of a row's function; nil for nothing.
func (f *functionsTab) calls(r functionRow) *calls {
	if f.observed == nil {
		return nil
	}
	return f.observed.calls[called{f.environment, r.key}]
}

// functionColumns are the widths of a row's columns; 0 for one that has no place.
type functionColumns struct{ name, mark, runtime, template, paths, calls int }

const (
	runtimeW  = len("nodejs")
	templateW = len("express")
	// sparksW is how many calls a row shows, lastW what it takes with the last
	// duration beside it, callsW with the failures too.
	sparksW = 12
	lastW   = sparksW + len(" 0.0 ms")
	callsW  = lastW + len(", 00 failed")
)

// columns divides a row of w cells.
func (f *functionsTab) columns(w int) functionColumns {
	const widest, wide = 48, 110
	c := functionColumns{runtime: runtimeW}
	room := w - c.runtime - 2*len(gap)
	if f.marks {
		c.mark = markW
		if w < narrowRow {
			c.mark = 1
		}
		room -= c.mark + len(gap)
	}
	if w >= wide {
		c.template = templateW
		room -= c.template + len(gap)
	}
	widths := []int{min(f.nameW, widest), min(f.pathsW, widest), 0}
	last := 0
	if f.observed != nil && f.observed.running {
		widths[2], last = callsW, lastW
		room -= len(gap)
	}
	for _, least := range [][]int{{widths[0], len("no path"), widths[2]}, {widths[0], len("no path"), last}, {12, len("no path"), last}} {
		narrowed(widths, least, room)
	}
	c.name, c.paths, c.calls = widths[0], widths[1], widths[2]
	return c
}

// line puts cells into their columns.
func (c functionColumns) line(name, mark, runtime, template, paths, calls string) (first, word, rest string) {
	first = cell(name, c.name) + gap
	if c.mark > 0 {
		word = cell(mark, c.mark) + gap
	}
	rest = cell(runtime, c.runtime) + gap
	if c.template > 0 {
		rest += cell(template, c.template) + gap
	}
	rest += cell(paths, c.paths)
	if c.calls > 0 {
		rest += gap + layout.Cut(calls, c.calls)
	}
	return first, word, rest
}

func (f *functionsTab) heading(t *theme.Theme, w int) string {
	c := f.columns(w)
	push := "push"
	if c.mark < markW {
		push = ""
	}
	first, word, rest := c.line("function", push, "runs", "made", "paths", "last calls")
	return t.Muted.Render(layout.Cut(first+word+rest, w))
}

func (f *functionsTab) row(t *theme.Theme, i int, selected bool, w int) string {
	r := f.rows[i]
	c := f.columns(w)
	runtime, template := "-", "-"
	if r.of != nil {
		runtime, template = orDash(fit(string(r.of.Runtime))), orDash(fit(string(r.of.Template)))
	}
	mark := r.mark.words()
	if c.mark < markW {
		mark, _, _ = strings.Cut(mark, " ")
	}
	first, word, rest := c.line(r.name, mark, runtime, template, r.serves, f.callsWords(r))
	if selected {
		return t.Selected.Render(first + word + rest)
	}
	return t.Accent.Render(first) + r.mark.tone().style(t).Render(word) + t.Muted.Render(rest)
}

// callsWords are the last calls in a row.
func (f *functionsTab) callsWords(r functionRow) string {
	c := f.calls(r)
	if c == nil || len(c.durations) == 0 {
		return "-"
	}
	last := lastOf(c.durations, sparksW)
	text := sparkline(last) + " " + shortly(last[len(last)-1])
	if c.failed > 0 {
		text += fmt.Sprintf(", %d failed", c.failed)
	}
	return text
}

func (f *functionsTab) detail(t *theme.Theme, i, w int) []string {
	if i == none {
		return nil
	}
	return draw(t, f.told(i), w)
}

// told is what is to be said of a row, the most wanted first.
func (f *functionsTab) told(i int) []said {
	r := f.rows[i]
	all := []said{{r.mark.tone(), "function " + r.name + f.why(r)}}
	for _, reason := range r.reasons {
		all = append(all, said{plain, "  " + reason})
	}
	all = append(all, f.callsTold(r)...)
	const most = 12
	for j, p := range r.paths {
		if j == most {
			all = append(all, said{muted, fmt.Sprintf("and %d more paths", len(r.paths)-most)})
			break
		}
		all = append(all, said{plain, fit("serves " + p.path + " of api " + p.api)})
	}
	if r.of != nil && len(r.paths) == 0 {
		all = append(all, said{muted, "no path is served by it"})
	}
	all = append(all, r.facts...)
	if r.mark == unknown && f.untold != "" {
		all = append(all, said{muted, f.untold})
	}
	if c := f.calls(r); c != nil && len(c.tail) > 0 {
		all = append(all, said{muted, "log in environment " + fit(f.environment) + ", the latest first; L shows all of it:"})
		for _, entry := range slices.Backward(c.tail) {
			for _, line := range entry {
				all = append(all, said{plain, line})
			}
		}
	}
	return all
}

// why says what the mark of a row means, as the end of a sentence.
func (f *functionsTab) why(r functionRow) string {
	env := ""
	if f.env != nil {
		env = fit(f.env.Name)
	}
	switch r.mark {
	case added:
		return " is new: a push of " + env + " makes it"
	case changed:
		return " changed since the last push of " + env
	case gone:
		return " is gone: a push of " + env + " takes it away"
	case same:
		return " is as it was pushed"
	}
	return ""
}

// callsTold is what the sandbox says of the last calls.
func (f *functionsTab) callsTold(r functionRow) []said {
	c := f.calls(r)
	switch {
	case f.observed == nil || r.of == nil:
		return nil
	case !f.observed.running:
		return []said{{muted, "no sandbox runs that it could be called in"}}
	case !f.observed.serves(f.environment):
		return []said{{muted, "the sandbox does not serve environment " + fit(f.environment)}}
	case c == nil || len(c.durations) == 0:
		return []said{{muted, "not called yet in the sandbox"}}
	}
	sorted := slices.Sorted(slices.Values(c.durations))
	text := fmt.Sprintf("%s  last %s, median %s, slowest %s of the last %s; the last at %s",
		sparkline(c.durations), shortly(c.durations[len(c.durations)-1]), shortly(median(sorted)), shortly(sorted[len(sorted)-1]),
		model.Count(len(sorted), "call"), c.last.Local().Format("15:04:05"))
	all := []said{{plain, text}}
	if c.failed > 0 {
		all = append(all, said{bad, fmt.Sprintf("! %d of %s logged an error", c.failed, model.Count(c.count, "call"))})
	}
	return all
}

// median is the middle of durations that are sorted.
func median(sorted []time.Duration) time.Duration { return sorted[len(sorted)/2] }

func (f *functionsTab) copied(i int) string { return f.rows[i].key }

func (f *functionsTab) opening(int) frame.Binding { return showing }

func (f *functionsTab) open(i int) (row int, cmd tea.Cmd) {
	return i, show("function "+f.rows[i].name, f.told(i))
}
