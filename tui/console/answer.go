package console

import (
	"charm.land/lipgloss/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// answerPane is the lines of an answer with what is in view of them.
type answerPane struct {
	lines []prose.Line
	// comparing says that they are a comparison.
	comparing bool
	// folded are the lines in width cells; 0 is not folded yet.
	folded []prose.Line
	width  int
	// top is the first line in view, height how many are, as last drawn.
	top, height int
}

// show shows other lines from their beginning.
func (a *answerPane) show(lines []prose.Line) { *a = answerPane{lines: lines, height: a.height} }

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
			a.folded = append(a.folded, prose.Line{Tone: line.Tone, Text: part})
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
		if a.folded[i].Tone == prose.Title {
			a.top = i
			a.scroll(0)
			return
		}
	}
}

// style is what a tone is drawn in.
func (p *Page) style(t *theme.Theme, tone prose.Tone) lipgloss.Style {
	switch tone {
	case prose.Title:
		return t.Title
	case prose.Muted:
		return t.Muted
	case prose.Good:
		return t.Good
	case prose.Bad:
		return t.Error
	case prose.Added:
		return t.Added
	case prose.Removed:
		return t.Removed
	case prose.Changed:
		return t.Changed
	}
	return t.Base
}
