package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// tabCell is a tab, or the sign that more are hidden, as last drawn: its cells and the tab
// that a click on it opens.
type tabCell struct{ from, to, tab int }

// more stands for the tabs that are out of view.
const more = "…"

// tabLine draws the tabs in w cells. The open tab is in brackets, to be seen without colour. A
// name stays in its place, whichever tab is open: all names are shortened together where there
// is no room for them, and what a tab adds to its name has room of its own. Where the short
// names do not fit either, the line scrolls, no further than the open tab needs.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	names := p.tabNames(board.Tab.Name)
	if sum(names) > w {
		names = p.tabNames(board.Tab.Short)
	}
	from, to := p.tabsInView(names, w)
	var b strings.Builder
	p.areas.cells = p.areas.cells[:0]
	x := 0
	add := func(text string, tab int) {
		p.areas.cells = append(p.areas.cells, tabCell{x, x + layout.Width(text), tab})
		x += layout.Width(text)
	}
	if from > 0 {
		add(" "+more, from-1)
		b.WriteString(t.Muted.Render(" " + more))
	}
	for i := from; i < to; i++ {
		name := names[i]
		if i == p.current {
			// The bracket is after the name, not after the room for more.
			text := strings.TrimRight(name, " ")
			b.WriteString(t.Title.Render("["+text+"]") + strings.Repeat(" ", layout.Width(name)-layout.Width(text)))
		} else {
			b.WriteString(t.Muted.Render(" " + name + " "))
		}
		add(" "+name+" ", i)
	}
	if to < len(names) {
		add(more, to)
		b.WriteString(t.Muted.Render(more))
	}
	return layout.Cut(b.String(), w)
}

// tabNames are the names of the tabs with their numbers, which are the keys of the first ones,
// each with the room for what a tab adds to its name.
func (p *Page) tabNames(nameOf func(board.Tab) string) []string {
	if len(p.rooms) != len(p.tabs) {
		p.rooms = make([]int, len(p.tabs))
	}
	names := make([]string, len(p.tabs))
	for i, tab := range p.tabs {
		added := strings.TrimPrefix(tab.Title(), tab.Name())
		least := 0
		if r, ok := tab.(interface{ TitleRoom() int }); ok {
			least = r.TitleRoom()
		}
		p.rooms[i] = max(p.rooms[i], least, layout.Width(added))
		names[i] = numbered(i, nameOf(tab)) + layout.Pad(added, p.rooms[i])
	}
	return names
}

// sum is how many cells the names take with a space on either side of each.
func sum(names []string) int {
	w := 0
	for _, name := range names {
		w += layout.Width(name) + 2
	}
	return w
}

// tabsInView scrolls the line so that the open tab is in view, and returns which tabs are.
func (p *Page) tabsInView(names []string, w int) (from, to int) {
	fits := func(from, to int) bool {
		used := sum(names[from:to])
		if from > 0 {
			used += 2
		}
		if to < len(names) {
			used++
		}
		return used <= w
	}
	from = max(0, min(p.firstTab, p.current))
	for from < p.current && !fits(from, p.current+1) {
		from++
	}
	for from > 0 && fits(from-1, len(names)) {
		from--
	}
	p.firstTab, to = from, p.current+1
	for to < len(names) && fits(from, to+1) {
		to++
	}
	return from, to
}

// clickTabs opens the tab at a column of the line.
func (p *Page) clickTabs(x int) tea.Cmd {
	for _, cell := range p.areas.cells {
		if x >= cell.from && x < cell.to {
			return p.toTab(cell.tab)
		}
	}
	return nil
}
