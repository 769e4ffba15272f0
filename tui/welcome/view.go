package welcome

import (
	"fmt"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// about says what the program is, to somebody who sees it for the first time.
const about = "Build the backend of an app: REST APIs, their functions, and who may call them. Run it on this " +
	"machine without an account; then deploy to AWS."

// View draws the rows in a pane, and in another one, next to or below it, what the row at the
// cursor leads to.
func (p *Page) View() string {
	t, body := p.context.Theme, p.layout.Body()
	if body.Empty() {
		return ""
	}
	const besideW, lowest = 100, 14
	switch {
	case body.W >= besideW:
		side := body.W / 2
		if least := body.W * 2 / 5; p.table.Cuts(body.W-side-widget.PaneW) && !p.table.Cuts(body.W-least-widget.PaneW) {
			side = least
		}
		return layout.Beside(p.drawList(t, body.W-side, body.H), p.drawDetail(t, side, body.H))
	case body.H >= lowest:
		const around = 4 // the frame, the summary and an empty line
		top := max(body.H/2, min(body.H-lowest/2, p.table.Len()+len(p.introduction(t, body.W-widget.PaneW))+around))
		return p.drawList(t, body.W, top) + "\n" + p.drawDetail(t, body.W, body.H-top)
	}
	return p.drawList(t, body.W, body.H)
}

// spare is how many empty lines the drawing leaves below the rows.
const spare = 8

// drawRequest draws the way of a request.
func drawRequest(t *theme.Theme) []string {
	stations := []string{
		t.Read.Render("GET") + t.Base.Render(" /books"), t.Accent.Render("who may?"), t.Accent.Render("function"),
		t.Accent.Render("table"),
	}
	var above, at, below strings.Builder
	for i, station := range stations {
		if i > 0 {
			above.WriteString("   ")
			at.WriteString(t.Muted.Render(" → "))
			below.WriteString("   ")
		}
		edge := strings.Repeat("─", layout.Width(station)+2)
		above.WriteString(t.Border.Render("╭" + edge + "╮"))
		at.WriteString(t.Border.Render("│ ") + station + t.Border.Render(" │"))
		below.WriteString(t.Border.Render("╰" + edge + "╯"))
	}
	return []string{above.String(), at.String(), below.String()}
}

// introduction says what the program is. In a low window it makes room for a project.
func (p *Page) introduction(t *theme.Theme, w int) []string {
	const high = 24
	if p.layout.Body().H < high && len(p.session.Project.Backend.APIs) > 0 {
		return nil
	}
	return append(widget.Wrapped(t, prose.Plain, about, w), "")
}

// drawList draws what the program is, what is here, and the rows.
func (p *Page) drawList(t *theme.Theme, w, h int) string {
	inner, room := w-widget.PaneW, h-widget.PaneH
	lines := p.introduction(t, inner)
	if drawn := drawRequest(t); inner >= layout.Width(drawn[0]) && room >= len(lines)+len(drawn)+p.table.Len()+spare {
		lines = append(append(lines, drawn...), "")
	}
	lines = append(lines, widget.Wrapped(t, prose.Muted, prose.Printable(p.summary()), inner)...)
	lines = append(lines, "")
	const fewest = 6
	if room-len(lines) < min(fewest, p.table.Len()) {
		lines = nil
	}
	lines = append(lines, p.table.Draw(t, inner, max(1, room-len(lines)), true)...)
	return widget.Pane{Title: "gatewright", Focused: true}.Draw(t, lines, w, h)
}

// drawDetail draws what the row at the cursor leads to.
func (p *Page) drawDetail(t *theme.Theme, w, h int) string {
	r, ok := p.table.Row()
	if !ok {
		return widget.Pane{}.Draw(t, nil, w, h)
	}
	inner := w - widget.PaneW
	var lines []string
	if r.detail != "" && r.path == nil {
		lines = append(widget.Wrapped(t, prose.Plain, prose.Printable(r.detail), inner), "")
	}
	if r.draw != nil {
		lines = append(lines, r.draw(t, inner)...)
	}
	return widget.Pane{Title: prose.Printable(r.text)}.Draw(t, shortened(t, lines, h-widget.PaneH), w, h)
}

// shortened cuts lines to a height, and says how many there are more.
func shortened(t *theme.Theme, lines []string, h int) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) <= h || h < 1 {
		return lines
	}
	return append(lines[:h-1:h-1], t.Muted.Render(fmt.Sprintf("and %d lines more", len(lines)-h+1)))
}

// drawPoints draw pairs of a word and a text, the texts in a column.
func drawPoints(t *theme.Theme, w int, points [][2]string) []string {
	const gap = "  "
	widest := 0
	for _, point := range points {
		widest = max(widest, layout.Width(point[0]))
	}
	var lines []string
	for _, point := range points {
		word := t.Accent.Render(layout.Pad(prose.Printable(point[0]), widest))
		for i, text := range layout.Wrap(prose.Printable(point[1]), max(1, w-widest-len(gap))) {
			if i > 0 {
				word = strings.Repeat(" ", widest)
			}
			lines = append(lines, word+gap+t.Muted.Render(text))
		}
	}
	return lines
}
