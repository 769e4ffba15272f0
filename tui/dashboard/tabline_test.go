package dashboard

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"gatewright/tui/dashboard/board"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// titleTab is a tab with only a title, and a short name.
type titleTab struct {
	board.Tab
	name, short string
}

func (t titleTab) Name() string {
	name, _, _ := strings.Cut(t.name, " ")
	return name
}

func (t titleTab) Title() string { return t.name }

func (t titleTab) Short() string { return cmp.Or(t.short, t.Name()) }

func (t titleTab) TitleRoom() int { return len(" (99)") }

// manyTabs is a page with eleven empty tabs.
func manyTabs() *Page {
	p := &Page{}
	shorts := map[string]string{"Functions": "Funcs", "Environments": "Envs", "Definitions": "Defs"}
	for _, name := range []string{"APIs", "Functions", "Access", "Requests", "Problems (2)", "People", "Environments", "Tables", "Outputs !", "Definitions", "Activity (4)"} {
		p.tabs = append(p.tabs, titleTab{name: name, short: shorts[name]})
	}
	return p
}

// placesOf are the cells at which the names of tabs begin in a line, by tab.
func (p *Page) placesOf() map[int]int {
	places := make(map[int]int)
	for _, cell := range p.areas.cells {
		if cell.to-cell.from > 2 {
			places[cell.tab] = cell.from
		}
	}
	return places
}

func TestTheOpenTabIsWholeAndEveryClickOpensWhatIsDrawnThere(t *testing.T) {
	t.Parallel()
	for w := 60; w <= 220; w++ {
		p := manyTabs()
		for _, at := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 4, 0} {
			p.current = at
			line := ansi.Strip(p.tabLine(theme.New(theme.None), w))
			if got := layout.Width(line); got > w {
				t.Fatalf("with tab %d open the line has %d cells, of %d: %q", at+1, got, w, line)
			}
			tab := p.tabs[at]
			added := strings.TrimPrefix(tab.Title(), tab.Name())
			whole := "[" + numbered(at, tab.Name()) + added + "]"
			short := "[" + numbered(at, tab.Short()) + added + "]"
			if !strings.Contains(line, whole) && !strings.Contains(line, short) {
				t.Fatalf("in %d cells %s is not whole: %q", w, tab.Title(), line)
			}
			for _, cell := range p.areas.cells {
				drawn := strings.Trim(ansi.Cut(line, cell.from, cell.to), " []")
				name := p.tabs[cell.tab].Short()[:3]
				if !strings.Contains(drawn, name) && !strings.HasPrefix(drawn, "…") {
					t.Errorf("in %d cells %d to %d are the tab %s, and show %q of %q", w, cell.from, cell.to, name, drawn, line)
				}
			}
			if hidden := len(p.placesOf()) < len(p.tabs); hidden != strings.Contains(line, "…") {
				t.Errorf("in %d cells hidden tabs are not told: %q", w, line)
			}
		}
	}
}

func TestNamesOfTabsStayInTheirPlaces(t *testing.T) {
	t.Parallel()
	for w := 60; w <= 220; w++ {
		p := manyTabs()
		p.tabLine(theme.New(theme.None), w)
		first := p.placesOf()
		for at := range p.tabs {
			if _, inView := first[at]; !inView {
				break // the line has to scroll
			}
			p.current = at
			line := ansi.Strip(p.tabLine(theme.New(theme.None), w))
			if got := p.placesOf(); fmt.Sprint(got) != fmt.Sprint(first) {
				t.Fatalf("in %d cells names are at %v, and were at %v: %q", w, got, first, line)
			}
		}
		// A count that comes, grows or goes moves no other name.
		p.tabs[4] = titleTab{name: "Problems (12)"}
		p.tabs[1] = titleTab{name: "Functions !", short: "Funcs"}
		p.tabs[8] = titleTab{name: "Outputs"}
		p.current, p.firstTab = 0, 0
		p.tabLine(theme.New(theme.None), w)
		if got := p.placesOf(); fmt.Sprint(got) != fmt.Sprint(first) {
			t.Fatalf("in %d cells names are at %v after the counts changed, and were at %v", w, got, first)
		}
	}
}

func TestAWiderLineOfTabsShowsNoFewer(t *testing.T) {
	t.Parallel()
	for at := range manyTabs().tabs {
		before := 0
		for w := 60; w <= 220; w++ {
			p := manyTabs()
			p.current = at
			p.tabLine(theme.New(theme.None), w)
			now := len(p.placesOf())
			if now < before {
				t.Errorf("with tab %d open %d are in view in %d cells, and %d in one less", at+1, now, w, before)
			}
			before = now
		}
		if before != len(manyTabs().tabs) {
			t.Errorf("a wide line shows %d tabs", before)
		}
	}
}
