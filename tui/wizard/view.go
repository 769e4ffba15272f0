package wizard

import (
	"fmt"
	"slices"

	"gatewright/flow"
	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// The widths of a window, in cells, from which on there is room for the preview next to the
// question, and for the steps next to both.
const (
	besideW = 100
	railW   = 118
)

// places are the parts of the wizard's window. A part without room is empty.
//
//	wide                          narrow
//	┌ Steps ┬ Question ┬ Preview ┐ ─ steps in one line ─
//	│       │          │         │ ┌ Question ─────────┐
//	│       │          │         │ ├ Preview ──────────┤
//	└───────┴──────────┴─────────┘ └───────────────────┘
type places struct{ line, rail, main, side layout.Rect }

// divide divides the body of the window for a question.
func divide(body layout.Rect) places {
	w, h := body.W, body.H
	const lowest, belowH = 18, 6
	switch {
	case w >= railW:
		rail := max(26, min(w/6, 36))
		side := max(28, min((w-rail)*2/5, w-rail-58))
		return places{
			rail: layout.Rect{W: rail, H: h},
			main: layout.Rect{X: rail, W: w - rail - side, H: h},
			side: layout.Rect{X: w - side, W: side, H: h},
		}
	case w >= besideW:
		const part = 3
		side := w / part
		return places{
			line: layout.Rect{W: w, H: 1},
			main: layout.Rect{Y: 1, W: w - side, H: h - 1},
			side: layout.Rect{X: w - side, Y: 1, W: side, H: h - 1},
		}
	case h >= lowest:
		return places{
			line: layout.Rect{W: w, H: 1},
			main: layout.Rect{Y: 1, W: w, H: h - 1 - belowH},
			side: layout.Rect{Y: h - belowH, W: w, H: belowH},
		}
	}
	return places{line: layout.Rect{W: w, H: 1}, main: layout.Rect{Y: 1, W: w, H: h - 1}}
}

// hidesPreview reports whether the window has no room for the preview next to the question.
func (p *Page) hidesPreview() bool {
	return divide(layout.Rect{W: p.layout.Body().W, H: p.layout.Body().H}).side.Empty()
}

// View draws the current step.
func (p *Page) View() string {
	t, body := p.context.Theme, p.layout.Body()
	if body.Empty() {
		return ""
	}
	switch {
	case p.done != nil:
		return p.drawDone(t, body.W, body.H)
	case p.step.Kind == flow.Review:
		return p.drawReview(t, body.W, body.H)
	}
	at := divide(layout.Rect{W: body.W, H: body.H})
	question := p.drawQuestion(t, at.main)
	if at.side.Empty() && p.previewing {
		question = p.drawPreview(t, at.main, true)
	}
	if !at.rail.Empty() {
		return layout.Beside(layout.Beside(p.drawRail(t, at.rail), question), p.drawPreview(t, at.side, false))
	}
	line := p.railLine(t, at.line)
	switch {
	case at.side.Empty():
		return line + "\n" + question
	case at.side.X > 0:
		return line + "\n" + layout.Beside(question, p.drawPreview(t, at.side, false))
	}
	return line + "\n" + question + "\n" + p.drawPreview(t, at.side, false)
}

// drawQuestion draws the question in a pane, which has the focus.
func (p *Page) drawQuestion(t *theme.Theme, area layout.Rect) string {
	f := &p.form
	ids := p.flow.Steps()
	pane := widget.Pane{
		Title: prose.Printable(f.question.Title), Focused: true,
		Right: t.Muted.Render(fmt.Sprintf("%d of %d", slices.Index(ids, p.step)+1, len(ids))),
	}
	w, h := area.W-widget.PaneW, area.H-widget.PaneH
	var lines []string
	if f.now().Kind == flow.Access {
		help := widget.Wrapped(t, prose.Muted, prose.Printable(f.question.Help), w)
		f.matrix.Viewer = p.context.Viewer
		drawn := f.matrix.Draw(t, w, h, true)
		if len(drawn)+len(help)+1 <= h {
			drawn = append(append(help, ""), drawn...)
		}
		return pane.Draw(t, drawn, area.W, area.H)
	}
	fields, focus := f.draw(t, w, h)
	if help := widget.Wrapped(t, prose.Muted, prose.Printable(f.question.Help), w); len(help)+1+len(fields) <= h {
		lines = append(help, "")
	}
	lines = append(lines, widget.Window(t, fields, focus, h-len(lines))...)
	return pane.Draw(t, lines, area.W, area.H)
}
