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

// low is the height, in lines, up to which rows and details have no rule between them.
const low = 10

// View draws the page: project and environment, the tabs, the rows of the open one, and the
// details of the selected row.
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
		return append([]string{""}, widget.Indent(widget.Wrapped(t, prose.Bad, prose.Printable(b.Err.Error()), w-2), margin)...)
	case b.Snap == nil:
		return []string{"", margin + t.Muted.Render("reading the project ...")}
	}
	lines := p.headLines(t, w)
	p.areas.tabs = len(lines)
	lines = append(lines, p.tabLine(t, w))
	if b.IsReading() && b.Wanted() != b.Snap.Name() {
		return append(lines, "", margin+t.Muted.Render("reading environment "+prose.Printable(b.Wanted())+" ..."))
	}
	p.areas.rows = len(lines)
	room := h - len(lines)
	if p.tab().Table().Len() == 0 {
		p.areas.width = w
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

// beside draws the rows with the details of the selected one to their right.
func (p *Page) beside(t *theme.Theme, w, h int) []string {
	const least, part = 40, 3
	sideW := max(least, w/part)
	rows := p.tab().Table().Draw(t, w-sideW-widget.PaneW, h-widget.PaneH, !p.inDetail)
	left := p.listPane(t).Draw(t, rows, w-sideW, h)
	details := p.detail.Draw(t, sideW-widget.PaneW, h-widget.PaneH)
	right := p.detailPane(t).Draw(t, details, sideW, h)
	p.areas.width = w - sideW
	p.areas.rows++
	return strings.Split(layout.Beside(left, right), "\n")
}

// listPane is the frame of the rows.
func (p *Page) listPane(t *theme.Theme) widget.Pane {
	return widget.Pane{Title: p.tab().Name(), Right: t.Muted.Render(p.tab().Table().Span()), Focused: !p.inDetail}
}

// detailPane is the frame of the details.
func (p *Page) detailPane(t *theme.Theme) widget.Pane {
	pane := widget.Pane{Title: "Details", Focused: p.inDetail}
	if !p.inDetail && p.detail.More() {
		pane.Right = t.Muted.Render("tab reads on")
	}
	return pane
}

// below draws the rows and, below them, the details of the selected one, which get more lines
// while they have the keys. In a low window neither has a frame.
func (p *Page) below(t *theme.Theme, w, h int) []string {
	const few, part = 3, 3
	most := max(few, h/part)
	switch {
	case h <= low:
		most = few
	case p.inDetail:
		most = h - low/2
	}
	p.areas.width = w
	if h > low+widget.PaneH {
		bottom := most + 1
		details := p.detail.Draw(t, w-widget.PaneW, bottom-widget.PaneH)
		rows := p.tab().Table().Draw(t, w-widget.PaneW, h-bottom-widget.PaneH, !p.inDetail)
		list := p.listPane(t).Draw(t, rows, w, h-bottom)
		p.areas.rows++
		return append(strings.Split(list, "\n"), strings.Split(p.detailPane(t).Draw(t, details, w, bottom), "\n")...)
	}
	details := p.detail.Draw(t, w-2, most)
	details = append(details[:len(details):len(details)], make([]string, max(0, few-len(details)))...)
	details = widget.Indent(details, margin)
	if h > low {
		line, dash := t.Border, "─"
		if p.inDetail {
			line, dash = t.BorderFocused, "━"
		}
		details = append([]string{margin + line.Render(strings.Repeat(dash, max(0, w-2)))}, details...)
	}
	rows := widget.Indent(p.tab().Table().Draw(t, w-2, h-len(details), !p.inDetail), margin)
	rows = append(rows, make([]string, max(0, h-len(details)-len(rows)))...)
	return append(rows, details...)
}

// headLines name the project and the environment, and say what cannot be read.
func (p *Page) headLines(t *theme.Theme, w int) []string {
	b := p.board
	lines := []string{margin + p.projectLine(t, w-2), margin + p.environmentLine(t, w-2)}
	add := func(tone prose.Tone, text string) {
		lines = append(lines, margin+t.Of(tone).Render(layout.Cut(text, w-2)))
	}
	if b.Draft != nil && p.current == 0 {
		add(prose.Note, "draft saved "+b.Draft.Saved.Local().Format("2 Jan 15:04")+": w resumes it")
	}
	if b.Err != nil {
		add(prose.Bad, "! cannot be read now, so this is the last state: "+prose.Printable(b.Err.Error()))
	}
	if b.Snap.Partial {
		add(prose.Warning, "! a write is running or was interrupted: this may be incomplete")
	}
	if n := len(b.Snap.Broken); n > 0 {
		add(prose.Bad, fmt.Sprintf("! %s in the files, so this is incomplete: see %d", model.Count(n, "problem"), len(p.tabs)))
	}
	return lines
}

// tabLine draws the tabs in w cells. The open tab is in brackets, to be seen without
// colour. In a narrow window the names of far tabs are shortened, then left out; those of
// the open tab and its neighbours never.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	var b strings.Builder
	p.areas.ends = p.areas.ends[:0]
	x := 0
	for i, name := range p.tabNames(w) {
		if i == p.current {
			b.WriteString(t.Selected.Render("[" + name + "]"))
		} else {
			b.WriteString(t.Muted.Render(" " + name + " "))
		}
		x += layout.Width(name) + 2
		p.areas.ends = append(p.areas.ends, x)
	}
	return layout.Cut(b.String(), w)
}

// tabNames are the numbered names of the tabs, shortened to w cells with a space on either
// side of each.
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
	order := farthestFirst(len(names), p.current)
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

// farthestFirst are the indexes of n tabs except the open one and its neighbours, the
// farthest first.
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
