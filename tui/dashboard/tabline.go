package dashboard

import (
	"fmt"
	"strings"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// tabLine draws the tabs in w cells. The open tab is in brackets, to be seen without
// colour. In a narrow window the names get shorter, that of the open tab last; then those of
// far tabs are left out.
func (p *Page) tabLine(t *theme.Theme, w int) string {
	var b strings.Builder
	p.areas.ends = p.areas.ends[:0]
	x := 0
	for i, name := range p.tabNames(w) {
		if i == p.current {
			b.WriteString(t.Title.Render("[" + name + "]"))
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
	others := farthestFirst(len(names), p.current, 1)
	for _, i := range others {
		tab := p.tabs[i]
		shorten(i, numbered(i, tab.Short()+strings.TrimPrefix(tab.Title(), tab.Name())))
	}
	for _, i := range append(others, p.current) {
		shorten(i, numbered(i, p.tabs[i].Short()))
	}
	for _, i := range farthestFirst(len(names), p.current, 2) {
		shorten(i, fmt.Sprint(i+1))
	}
	return names
}

// farthestFirst are the indexes of those of n tabs that are at least some places away from
// the open one, the farthest first.
func farthestFirst(n, at, nearest int) []int {
	var order []int
	for away := n; away >= nearest; away-- {
		for _, i := range []int{at + away, at - away} {
			if i >= 0 && i < n {
				order = append(order, i)
			}
		}
	}
	return order
}
