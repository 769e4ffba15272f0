package console

import (
	"charm.land/lipgloss/v2"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// answerPane is the lines of an answer with what is in view of them.
type answerPane struct {
	lines []Line
	// comparing says that they are a comparison.
	comparing bool
	// folded are the lines in width cells; 0 is not folded yet.
	folded []Line
	width  int
	// top is the first line in view, height how many are, as last drawn.
	top, height int
}

// show shows other lines from their beginning.
func (a *answerPane) show(lines []Line) { *a = answerPane{lines: lines, height: a.height} }

// fold breaks lines that are too long for a width; the first line in view stays.
func (a *answerPane) fold(w int) {
	if a.width == w {
		return
	}
	a.width, a.folded = w, a.folded[:0]
	for _, line := range a.lines {
		if layout.Width(line.Text) <= w {
			a.folded = append(a.folded, line)
			continue
		}
		for _, part := range layout.Wrap(line.Text, w) {
			a.folded = append(a.folded, Line{line.Kind, part})
		}
	}
}

// scroll moves what is in view by a number of lines, as far as there are any.
func (a *answerPane) scroll(by int) {
	a.top = max(0, min(a.top+by, len(a.folded)-max(1, a.height)))
}

// toPart moves to the next heading, or to the one before.
func (a *answerPane) toPart(by int) {
	for i := a.top + by; i >= 0 && i < len(a.folded); i += by {
		if a.folded[i].Kind == Heading {
			a.top = i
			a.scroll(0)
			return
		}
	}
}

// style is what a kind of line is drawn in.
func (p *Page) style(t *theme.Theme, k Kind) lipgloss.Style {
	switch k {
	case Heading:
		return t.Title
	case Muted:
		return t.Muted
	case Good:
		return t.Good
	case Bad:
		return t.Error
	case Added:
		return t.Added
	case Removed:
		return t.Removed
	case Changed:
		return t.Changed
	}
	return t.Base
}
