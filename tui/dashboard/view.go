package dashboard

import (
	"fmt"
	"strings"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// View draws the page: what it is about, the tabs, the rows of one, and what is
// to be said of the row at hand.
func (p *Page) View() string {
	body := p.layout.Body()
	if body.Empty() {
		return ""
	}
	p.drawn.seen = true
	if p.drawn.stale || p.drawn.text == "" {
		p.drawn.text, p.drawn.stale = layout.Block(strings.Join(p.draw(body.W, body.H), "\n"), body.W, body.H), false
	}
	return p.drawn.text
}

func (p *Page) draw(w, h int) []string {
	t := p.context.Theme
	if p.snap == nil {
		if p.err != nil && !p.reading() {
			return append([]string{""}, indented(wrapped(t.Error, prose.Fit(p.err.Error()), w-2), margin)...)
		}
		return []string{"", margin + t.Muted.Render("reading the project ...")}
	}
	lines := p.headLines(t, w)
	p.drawn.places = places{tabs: len(lines), rows: none}
	lines = append(lines, p.tabLine(t, w))
	if p.reading() && p.wanted() != p.snap.name() {
		return append(lines, "", margin+t.Muted.Render("reading environment "+prose.Fit(p.wanted())+" ..."))
	}
	if p.typing || p.list().filter.Value() != "" {
		lines = append(lines, p.filterLine(t, w))
	}
	if len(p.list().entries) == 0 {
		return append(append(lines, ""), p.emptyLines(t, w)...)
	}
	if !p.layout.Side.Empty() {
		return p.drawBeside(t, lines, w, h)
	}
	return p.drawBelow(t, lines, w, h)
}

// drawBeside draws the rows with what is to be said of the one at hand beside
// them. The rows have more to show than is said of one.
func (p *Page) drawBeside(t *theme.Theme, lines []string, w, h int) []string {
	const side, part = 40, 3
	sideW := max(side, w/part)
	rowsW := w - sideW
	room := h - len(lines)
	rows := append([]string{p.headingLine(t, rowsW)}, p.rowLines(t, rowsW, room-1, len(lines)+1)...)
	left := layout.Block(strings.Join(rows, "\n"), rowsW, room)
	right := layout.Clip(strings.Join(p.sideLines(t, sideW, room), "\n"), sideW, room)
	return append(lines, strings.Split(layout.Beside(left, right), "\n")...)
}

// drawBelow draws the rows, and below them what is to be said of the one at hand.
func (p *Page) drawBelow(t *theme.Theme, lines []string, w, h int) []string {
	room := h - len(lines)
	below := p.detailLines(t, w, room)
	// The heading is the first to go where there is no room.
	if room-len(below) > low/2 {
		lines = append(lines, p.headingLine(t, w))
		room--
	}
	rows := p.rowLines(t, w, room-len(below), len(lines))
	for len(rows) < room-len(below) {
		rows = append(rows, "")
	}
	return append(append(lines, rows...), below...)
}

// headingLine is what stands above the rows, and in what order they are where that
// is not the usual one.
func (p *Page) headingLine(t *theme.Theme, w int) string {
	heading := p.tabs[p.at].heading(t, w-4)
	if order := p.order(); order != "" {
		order = " " + order
		heading = layout.Pad(layout.Cut(heading, max(1, w-4-layout.Width(order))), w-4-layout.Width(order)) + t.Note.Render(order)
	}
	return "   " + heading
}

func (p *Page) filterLine(t *theme.Theme, w int) string {
	l := p.list()
	count := fmt.Sprintf(" %d of %d", len(l.shown), len(l.entries))
	return margin + t.Key.Render("/ ") + l.filter.View(t, "type to filter", max(1, w-4-len(count)), p.typing) + t.Muted.Render(count)
}

// low is the height of the rows and what stands below them up to which nothing
// but those has a place.
const low = 10

// emptyLines say why there are no rows, and what else there is to say.
func (p *Page) emptyLines(t *theme.Theme, w int) []string {
	const indent = "   "
	lines := wrapped(t.Muted, p.tabs[p.at].empty(), w-2*len(indent))
	return indented(append(lines, p.tabs[p.at].detail(t, none, w-2*len(indent))...), indent)
}

// rowLines draws the rows around the cursor in h lines, of which the first is the
// line y of the page.
func (p *Page) rowLines(t *theme.Theme, w, h, y int) []string {
	l, tab := p.list(), p.tabs[p.at]
	var lines []string
	from, to := l.window(h)
	p.drawn.places.rows, p.drawn.places.first, p.drawn.places.count, p.drawn.places.width = y, from, to-from, w
	for at := from; at < to; at++ {
		row := l.shown[at]
		pointer := "   "
		if at == l.at {
			pointer = margin + t.BorderFocused.Render("> ")
		}
		lines = append(lines, pointer+tab.row(t, row, at == l.at, w-4))
	}
	if len(l.shown) == 0 {
		lines = append(lines, "   "+t.Muted.Render("nothing matches: esc takes the filter away"))
	}
	return lines
}

// detailLines draws what is to be said of the row at hand, below the rows, with a
// part of room lines.
func (p *Page) detailLines(t *theme.Theme, w, room int) []string {
	const few, part = 3, 3
	most := max(few, room/part)
	if room <= low {
		most = few
	}
	lines := p.upTo(most, t, p.tabs[p.at].detail(t, p.list().row(), w-2))
	for len(lines) < few {
		lines = append(lines, "")
	}
	lines = indented(lines, margin)
	if room > low {
		lines = append([]string{margin + t.Border.Render(strings.Repeat("─", max(0, w-2)))}, lines...)
	}
	return lines
}

// upTo are at most so many lines of what is to be said of the row at hand; the last
// says how many have no place, and which key shows them.
func (p *Page) upTo(most int, t *theme.Theme, lines []string) []string {
	if len(lines) <= most || most < 1 {
		return lines
	}
	text := fmt.Sprintf("and %d more lines", len(lines)-most+1)
	if row := p.list().row(); row != none && p.tabs[p.at].opening(row).Label == showing.Label {
		text += ": enter shows all"
	}
	return append(lines[:most-1:most-1], t.Muted.Render(text))
}

// sideLines draws the same beside the rows, with a line between them.
func (p *Page) sideLines(t *theme.Theme, w, h int) []string {
	lines := p.upTo(h, t, p.tabs[p.at].detail(t, p.list().row(), w-3))
	for len(lines) < h {
		lines = append(lines, "")
	}
	return indented(lines, t.Border.Render("│")+" ")
}

func indented(lines []string, by string) []string {
	for i, line := range lines {
		lines[i] = by + line
	}
	return lines
}
