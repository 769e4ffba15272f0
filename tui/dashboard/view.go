package dashboard

import (
	"slices"
	"strings"

	"gatewright/internal/text/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is what every line of the head is indented by.
const margin = " "

// The heights, in lines, up to which the head has one line, and the details have no frame.
const (
	lowBody  = 14
	lowPanes = 11
)

// View draws the page: the head, the tabs, the rows of the open one in a pane, and the
// details of the selected row in another one next to or below it.
func (p *Page) View() string {
	body := p.layout.Body()
	if body.Empty() {
		return ""
	}
	lines := p.draw(body.W, body.H)
	lines = append(lines, make([]string, max(0, body.H-len(lines)))...)
	for i, line := range lines {
		lines[i] = layout.Pad(line, body.W)
	}
	return strings.Join(lines, "\n")
}

func (p *Page) draw(w, h int) []string {
	t, b := p.context.Theme, p.board
	switch {
	case b.Snap == nil && b.Err != nil && !b.IsReading():
		return append([]string{""},
			widget.Indent(widget.Wrapped(t, prose.Bad, prose.Printable(b.Err.Error()), w-2), margin)...)
	case b.Snap == nil:
		return []string{"", margin + t.Muted.Render("reading the project ...")}
	}
	lines := p.headLines(t, w, h <= lowBody)
	p.areas.tabs = len(lines)
	lines = append(lines, p.tabLine(t, w))
	p.areas.rows, p.areas.width, p.areas.height = len(lines)+1, w, h
	room := h - len(lines)
	if b.IsReading() && b.Wanted() != b.Snap.Name() {
		text := t.Muted.Render("reading environment " + prose.Printable(b.Wanted()) + " ...")
		return append(lines, drawn(p.rowsPane().Draw(t, []string{text}, w, room))...)
	}
	if p.tab().Table().Len() == 0 {
		p.showThird(board.Third{})
		inner := w - widget.PaneW
		empty := p.tab().Table().Draw(t, inner, room-widget.PaneH, true)
		empty = append(empty, widget.Prose(t, p.tab().Detail(), inner)...)
		return append(lines, drawn(p.rowsPane().Draw(t, empty, w, room))...)
	}
	side := p.besideWidth(w)
	beside := side > 0
	p.detail.Framed = beside || room > lowPanes
	all, third := p.tab().Detail(), board.Third{}
	if w >= thirdW && p.detail.Framed && (!beside || room >= leastThird*thirds) {
		third = p.tab().Third(all)
	}
	details := all[:len(all)-third.Last]
	p.showThird(third)
	if p.detail.Framed && len(details) > 0 && details[0].Text == p.tab().Subject() {
		details = details[1:]
	}
	if !beside {
		details = slices.DeleteFunc(slices.Clone(details), func(line prose.Line) bool { return line.Text == "" })
	}
	p.detail.Instead = nil
	if d, ok := p.tab().(board.Drawer); ok && p.detail.Framed {
		p.detail.Instead = d.DrawLine
	}
	if p.focus > 0 {
		p.detail.Replace(details)
	} else {
		p.detail.Show(details)
	}
	if beside {
		lines = append(lines, p.beside(t, w, room, side)...)
	} else {
		lines = append(lines, p.below(t, w, room)...)
	}
	if b.InView(nil); !p.detail.More() && (third.Last == 0 || !p.third.More()) {
		b.InView(all)
	}
	return lines
}

// drawn are the lines of a pane.
func drawn(pane string) []string { return strings.Split(pane, "\n") }

// rowsPane is the pane of the rows.
func (p *Page) rowsPane() widget.Pane {
	return widget.Pane{Title: p.tab().Name(), Focused: p.focus == 0}
}

// besideWidth is the width of the details next to the rows in w cells; 0 if they are below. They
// are at the side in a wide window, as wide as they can be, unless the rows would show less then than
// with the whole width: so a wider window never shows less.
func (p *Page) besideWidth(w int) int {
	if wide, ok := p.tab().(board.Wide); p.layout.Side.Empty() || ok && wide.DetailsBelow() {
		return 0
	}
	for side := sideWidth(w); side >= leastSide; side-- {
		if p.tab().Table().ShowsAsMuch(w-side-widget.PaneW, w-widget.PaneW) {
			return side
		}
	}
	return 0
}

// allRows is how many lines the pane of the rows has with all of them in view.
func (p *Page) allRows() int {
	const titles = 1
	return p.tab().Table().Len() + titles + widget.PaneH
}

// leastSide is the least width of the details next to the rows.
const leastSide = 40

// sideWidth is the greatest width of the details next to the rows in a window of w cells.
func sideWidth(w int) int {
	const most = 76
	return max(leastSide, min(w*3/8, most))
}

// beside draws the rows with the details of the selected one to their right.
func (p *Page) beside(t *theme.Theme, w, h, side int) []string {
	p.areas.width = w - side
	details, left := p.drawDetail(t, side, h), h
	if p.named != "" {
		left -= max(h/thirds, min(h-p.allRows(), h-h/thirds))
	}
	p.areas.height = p.areas.rows + left - 1
	rows := p.drawRows(t, w-side, left)
	if left < h {
		rows += "\n" + p.drawThird(t, layout.Rect{Y: p.areas.height, W: w - side, H: h - left})
	}
	return drawn(layout.Beside(rows, details))
}

// The least width, in cells, of a window with a third pane, its least height next to others, and the part
// of the height that it has at least, and the rows above it.
const (
	thirdW     = 150
	leastThird = 8
	thirds     = 3
)

// showThird puts the lines of the third pane into it: from their beginning if they are of something else.
func (p *Page) showThird(of board.Third) {
	if p.areas.third = (layout.Rect{}); of.Title == p.named {
		p.third.Replace(of.Lines)
	} else {
		p.third.Show(of.Lines)
	}
	p.named = of.Title
}

func (p *Page) drawThird(t *theme.Theme, area layout.Rect) string {
	p.areas.third = area
	return drawPager(t, &p.third, widget.Pane{Title: p.named, Focused: p.inThird()}, area.W, area.H)
}

// below draws the rows and, below them, the details of the selected one, which get the lines
// that the rows leave, up to half of all, and more while they have the keys.
func (p *Page) below(t *theme.Theme, w, h int) []string {
	const few, fewest, rows = 3, 5, 8
	details := max(fewest, h/few, min(h/2, h-p.allRows()))
	switch low := h <= lowPanes; {
	case low && p.focus > 0:
		details = max(few, h-fewest)
	case low:
		details = few
	case p.focus > 0:
		details = max(details, h-rows)
	}
	p.areas.height = p.areas.rows + h - details - 1
	all := drawn(p.drawRows(t, w, h-details))
	if p.detail.Framed {
		third := ""
		if p.named != "" {
			third = p.drawThird(t, layout.Rect{X: w - w/2, Y: p.areas.height, W: w / 2, H: details})
			w -= w / 2
		}
		return append(all, drawn(layout.Beside(p.drawDetail(t, w, details), third))...)
	}
	return append(all, widget.Indent(p.detail.Draw(t, w-2, details), margin)...)
}

// drawRows draws the pane of the rows.
func (p *Page) drawRows(t *theme.Theme, w, h int) string {
	pane, table := p.rowsPane(), p.tab().Table()
	lines := table.Draw(t, w-widget.PaneW, h-widget.PaneH, pane.Focused)
	const ends = 9 // the corners, and what is around the texts in the frame
	pane.Right = table.Legend(t, w-ends-layout.Width(pane.Title))
	return pane.Draw(t, lines, w, h)
}

// drawDetail draws the pane of the details.
func (p *Page) drawDetail(t *theme.Theme, w, h int) string {
	return drawPager(t, &p.detail, widget.Pane{Title: p.tab().Subject(), Focused: p.focus > 0 && !p.inThird()}, w, h)
}

// drawPager draws a text in a pane, which says what of it is in view.
func drawPager(t *theme.Theme, text *widget.Pager, pane widget.Pane, w, h int) string {
	lines := text.Draw(t, w-widget.PaneW, h-widget.PaneH)
	if position := text.Position(); position != "" {
		pane.Right = t.Muted.Render(position)
	}
	return pane.Draw(t, lines, w, h)
}
