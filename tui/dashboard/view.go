package dashboard

import (
	"fmt"
	"strings"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// margin is what every line is indented by.
const margin = " "

// low is the height of the rows and what stands below them up to which nothing but
// those has a place.
const low = 10

// View draws the page: what it is about, the tabs, the rows of one, and what is to be
// said of the row at hand.
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
	case b.Snap == nil && b.Err != nil && !b.Reading():
		return append([]string{""}, widget.Indent(widget.Wrapped(t, prose.Bad, prose.Printable(b.Err.Error()), w-2), margin)...)
	case b.Snap == nil:
		return []string{"", margin + t.Muted.Render("reading the project ...")}
	}
	lines := p.headLines(t, w)
	p.places.tabs = len(lines)
	lines = append(lines, p.tabLine(t, w))
	if b.Reading() && b.Wanted() != b.Snap.Name() {
		return append(lines, "", margin+t.Muted.Render("reading environment "+prose.Printable(b.Wanted())+" ..."))
	}
	p.places.rows = len(lines)
	room := h - len(lines)
	if p.tab().Table().Len() == 0 {
		p.places.width = w
		lines = append(append(lines, ""), widget.Indent(p.tab().Table().Draw(t, w-6, room-1, true), "   ")...)
		return append(lines, widget.Indent(widget.Prose(t, p.tab().Detail(), w-6), "   ")...)
	}
	if p.inDetail {
		p.detail.Replace(p.tab().Detail())
	} else {
		p.detail.Show(p.tab().Detail())
	}
	if !p.layout.Side.Empty() {
		return append(lines, p.beside(t, w, room)...)
	}
	return append(lines, p.below(t, w, room)...)
}

// beside draws the rows with what is to be said of the one at hand beside them. The
// rows have more to show than is said of one.
func (p *Page) beside(t *theme.Theme, w, h int) []string {
	const side, part = 40, 3
	sideW := max(side, w/part)
	p.places.width = w - sideW
	rows := widget.Indent(p.tab().Table().Draw(t, p.places.width-2, h, !p.inDetail), margin)
	pane := widget.Side
	if p.inDetail {
		pane = widget.FocusedSide
	}
	said := pane(t, p.detail.Draw(t, sideW-3, h), sideW, h)
	return strings.Split(layout.Beside(layout.Block(strings.Join(rows, "\n"), p.places.width, h), said), "\n")
}

// below draws the rows, and below them what is to be said of the one at hand, with a
// part of the lines; with more of them while the keys are there.
func (p *Page) below(t *theme.Theme, w, h int) []string {
	const few, part = 3, 3
	most := max(few, h/part)
	switch {
	case h <= low:
		most = few
	case p.inDetail:
		most = h - low/2
	}
	said := p.detail.Draw(t, w-2, most)
	said = append(said[:len(said):len(said)], make([]string, max(0, few-len(said)))...)
	said = widget.Indent(said, margin)
	if h > low {
		line, dash := t.Border, "─"
		if p.inDetail {
			line, dash = t.BorderFocused, "━"
		}
		said = append([]string{margin + line.Render(strings.Repeat(dash, max(0, w-2)))}, said...)
	}
	p.places.width = w
	rows := widget.Indent(p.tab().Table().Draw(t, w-2, h-len(said), !p.inDetail), margin)
	rows = append(rows, make([]string, max(0, h-len(said)-len(rows)))...)
	return append(rows, said...)
}

// headLines say what project and what environment the page is about, and what of
// it cannot be read.
func (p *Page) headLines(t *theme.Theme, w int) []string {
	b := p.board
	lines := []string{margin + p.projectLine(t, w-2), margin + p.environmentLine(t, w-2)}
	add := func(tone prose.Tone, text string) {
		lines = append(lines, margin+t.Of(tone).Render(layout.Cut(text, w-2)))
	}
	if b.Draft != nil && p.at == 0 {
		add(prose.Note, "a draft of "+b.Draft.Saved.Local().Format("2 Jan 15:04")+" is kept: w goes on with it")
	}
	if b.Err != nil {
		add(prose.Bad, "! shown as it was before, since it cannot be read now: "+prose.Printable(b.Err.Error()))
	}
	if b.Snap.Half {
		add(prose.Warning, "! a write is under way or was interrupted: this may be half of it")
	}
	if n := len(b.Snap.Broken); n > 0 {
		add(prose.Bad, fmt.Sprintf("! %s in reading, the rest is incomplete: see %d", model.Count(n, "problem"), len(p.tabs)))
	}
	return lines
}

// tabLine names the tabs in w cells; the one in front stands in brackets, so that
// it is told without colour. Where there is no room the names of those that are
// far from it are shortened, then left out; its own and those beside it never.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	var b strings.Builder
	p.places.ends = p.places.ends[:0]
	x := 0
	for i, name := range p.tabNames(w) {
		if i == p.at {
			b.WriteString(t.Selected.Render("[" + name + "]"))
		} else {
			b.WriteString(t.Muted.Render(" " + name + " "))
		}
		x += layout.Width(name) + 2
		p.places.ends = append(p.places.ends, x)
	}
	return layout.Cut(b.String(), w)
}

// tabNames are the names of the tabs, each with its number, as they fit in w cells
// with a cell on either side.
func (p *Page) tabNames(w int) []string {
	const shortest = 4
	names := make([]string, len(p.tabs))
	sum := 0
	for i, tab := range p.tabs {
		names[i] = numbered(i, tab.Title())
		sum += layout.Width(names[i]) + 2
	}
	shorten := func(i int, name string) {
		if saved := layout.Width(names[i]) - layout.Width(name); sum > w && saved > 0 {
			names[i], sum = name, sum-saved
		}
	}
	order := farthestFirst(len(names), p.at)
	for _, i := range order {
		if name := p.tabs[i].Name(); len(name) > shortest {
			shorten(i, numbered(i, name[:shortest]+"."))
		}
	}
	for _, i := range order {
		shorten(i, fmt.Sprint(i+1))
	}
	return names
}

// farthestFirst are the indexes of n tabs without that of the one in front and of
// those beside it, the farthest first.
func farthestFirst(n, at int) []int {
	var order []int
	for away := n; away > 1; away-- {
		for _, i := range []int{at + away, at - away} {
			if i >= 0 && i < n {
				order = append(order, i)
			}
		}
	}
	return order
}
