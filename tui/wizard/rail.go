package wizard

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// The signs of steps: done, here, to come.
const (
	stepDone   = "✓"
	stepHere   = "▸"
	stepToCome = "·"
)

// rail is the way through the wizard: the steps with their answers. It keeps where each
// step was drawn, for the mouse.
type rail struct {
	area  layout.Rect
	steps []flow.ID
	// ends are the columns where the steps of a rail of one line end; nil if the rail is a
	// list, whose steps are those of its lines.
	ends []int
}

// at is the step that was drawn at a cell of the page.
func (r *rail) at(x, y int) (flow.ID, bool) {
	if !r.area.Contains(x, y) {
		return flow.ID{}, false
	}
	i := y - r.area.Y
	if r.ends != nil {
		i = slices.IndexFunc(r.ends, func(end int) bool { return x < end })
	}
	if i < 0 || i >= len(r.steps) {
		return flow.ID{}, false
	}
	return r.steps[i], true
}

// sign is the sign of a step and its style.
func (p *Page) sign(t *theme.Theme, at flow.ID) string {
	switch {
	case at == p.step:
		return t.BorderFocused.Render(stepHere)
	case at.Kind != flow.Review && p.flow.Passed(at) && p.flow.Check(at) == nil:
		return t.Good.Render(stepDone)
	}
	return t.Muted.Render(stepToCome)
}

// drawRail draws the steps in a pane. An answer that is longer than its line goes on below
// it, where all of them fit; else only that of the step at hand does.
func (p *Page) drawRail(t *theme.Theme, area layout.Rect) string {
	w, room := area.W-widget.PaneW, max(1, area.H-widget.PaneH)
	lines, steps := p.railLines(t, w, true)
	if len(lines) > room {
		lines, steps = p.railLines(t, w, false)
	}
	here := max(0, slices.Index(steps, p.step))
	from := max(0, min(here-room/2, len(lines)-room))
	to := min(len(lines), from+room)
	p.rail = rail{area: layout.Rect{X: area.X, Y: area.Y + 1, W: area.W, H: to - from}, steps: steps[from:to]}
	return widget.Pane{Title: "Steps"}.Draw(t, lines[from:to], area.W, area.H)
}

// railLines are the lines of the steps, and the step of each line. Without whole, only the
// step at hand has as many lines as it needs.
func (p *Page) railLines(t *theme.Theme, w int, whole bool) (lines []string, steps []flow.ID) {
	// Answers stand in a column; a longer name pushes its own aside.
	const names = len("function")
	for _, at := range p.flow.Steps() {
		name, answer := t.Muted, t.Muted
		if p.flow.Passed(at) {
			answer = t.Base
		}
		if at == p.step {
			name, answer = t.Title, t.Accent
		}
		line := p.sign(t, at) + " " + name.Render(layout.Pad(p.flow.Name(at), names)) + " "
		text, indent := prose.Printable(p.railAnswer(at)), layout.Width(line)
		rest := []string{text}
		if whole || at == p.step {
			rest = layout.WrapPath(text, max(1, w-indent))
		}
		for i, part := range rest {
			if i > 0 {
				line = strings.Repeat(" ", indent)
			}
			lines, steps = append(lines, layout.Cut(line+answer.Render(part), w)), append(steps, at)
		}
	}
	return lines, steps
}

// railAnswer is the answer of a step that was reached, "" before.
func (p *Page) railAnswer(at flow.ID) string {
	if at.Kind != flow.Review && (p.flow.Passed(at) || at == p.step) {
		return p.flow.Summary(at)
	}
	return ""
}

// railLine draws the steps in one line of w cells: the current one with its name, the others
// with their answers, as many as there is room for.
func (p *Page) railLine(t *theme.Theme, area layout.Rect) string {
	ids := p.flow.Steps()
	texts := make([]string, len(ids))
	for i, at := range ids {
		texts[i] = prose.Printable(p.flow.Name(at))
		if answer := p.railAnswer(at); at != p.step && answer != "" && at.Kind != "another" {
			const most = 14
			first, _, _ := strings.Cut(answer, ",")
			texts[i] = layout.Cut(prose.Printable(first), most)
		}
	}
	from, to := around(texts, max(0, slices.Index(ids, p.step)), area.W-4)
	p.rail = rail{area: area, steps: ids[from:to], ends: []int{}}
	line, x := "", 1
	if from > 0 {
		line, x = t.Muted.Render("… "), 3
	}
	for i := from; i < to; i++ {
		style := t.Muted
		if ids[i] == p.step {
			style = t.Title
		}
		line += p.sign(t, ids[i]) + " " + style.Render(texts[i]) + "  "
		x += layout.Width(texts[i]) + 4
		p.rail.ends = append(p.rail.ends, x)
	}
	if to < len(ids) {
		line += t.Muted.Render("…")
	}
	return layout.Pad(layout.Cut(" "+line, area.W), area.W)
}

// around is the widest range of texts around one of them that fits in w cells with a sign
// and two spaces each.
func around(texts []string, at, w int) (from, to int) {
	width := func(i int) int { return layout.Width(texts[i]) + 4 }
	from, to = at, at+1
	room := w - width(at)
	for {
		grown := false
		if to < len(texts) && width(to) <= room {
			room -= width(to)
			to++
			grown = true
		}
		if from > 0 && width(from-1) <= room {
			from--
			room -= width(from)
			grown = true
		}
		if !grown {
			return from, to
		}
	}
}
