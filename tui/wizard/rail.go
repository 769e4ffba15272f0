package wizard

import (
	"slices"
	"strings"

	"gatewright/flow"
	"gatewright/prose"
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
	// ends are the columns where the steps of a rail of one line end; nil if the rail has a
	// line for each step.
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

// drawRail draws the steps in a pane, a line each.
func (p *Page) drawRail(t *theme.Theme, area layout.Rect) string {
	ids := p.flow.Steps()
	// Answers stand in a column; a longer name pushes its own aside.
	const names = len("function")
	here := max(0, slices.Index(ids, p.step))
	room := max(1, area.H-widget.PaneH)
	from := max(0, min(here-room/2, len(ids)-room))
	ids = ids[from:min(len(ids), from+room)]
	p.rail = rail{area: layout.Rect{X: area.X, Y: area.Y + 1, W: area.W, H: len(ids)}, steps: ids}
	var lines []string
	for _, at := range ids {
		name, answer := t.Muted, t.Muted
		if p.flow.Passed(at) {
			answer = t.Base
		}
		if at == p.step {
			name, answer = t.Title, t.Accent
		}
		line := p.sign(t, at) + " " + name.Render(layout.Pad(p.flow.Name(at), names))
		if text := p.railAnswer(at); text != "" {
			line += " " + answer.Render(prose.Printable(text))
		}
		lines = append(lines, layout.Cut(line, area.W-widget.PaneW))
	}
	return widget.Pane{Title: "Steps"}.Draw(t, lines, area.W, area.H)
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
