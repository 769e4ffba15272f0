package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame"
	"gatewright/tui/theme"
)

// tab is one way to look at what was read. It has rows, with the cursor on one.
type tab interface {
	// title is the tab's name in one word, with a count where that says something.
	title() string
	// take replaces what is shown, and begins what takes time.
	take(*snapshot) tea.Cmd
	// entries are the rows, as the list needs them.
	entries() []entry
	// heading stands above the rows, in w cells; empty in place of both where
	// there are no rows.
	heading(t *theme.Theme, w int) string
	empty() string
	// row draws a row in w cells.
	row(t *theme.Theme, i int, selected bool, w int) string
	// detail says more about a row, in lines of w cells; i is none where there is
	// no row.
	detail(t *theme.Theme, i, w int) []string
	// copied is what goes to the clipboard for a row; "" for nothing.
	copied(i int) string
	// opening is what enter does on a row; a Disabled one says why nothing.
	opening(i int) frame.Binding
	// open does it, and says on which row the cursor stands then.
	open(i int) (row int, cmd tea.Cmd)
}

// acting is a tab whose rows something can be done to.
type acting interface {
	// actions are what applies to a row, the most wanted first; i is none where
	// there is no row, and then they are what applies to the tab. It is asked at
	// every key: it does not look at all rows.
	actions(i int) []action
}

// action is something that a key does to a row. The key is a letter that is
// unique in the tab and none of the page's own.
type action struct {
	// binding has Keys, Label, Help and Disabled, which is the reason why not.
	binding frame.Binding
	do      func() tea.Cmd
}

// sorting is a tab whose rows can stand in more than one order.
type sorting interface {
	// sortings are the names of the orders, the usual one first; sortBy takes the
	// index of one.
	sortings() []string
	sortBy(n int)
}

// handling is a tab that gets messages of its own: results of its commands, and
// of its dialogs, whose IDs begin with the tab's name in lower case and a slash.
type handling interface {
	// handle takes a message; false says that it is not the tab's. What it changes
	// is drawn again, rows and all.
	handle(msg tea.Msg) (cmd tea.Cmd, taken bool)
}

// observing is a tab that shows what a running sandbox says.
type observing interface {
	// observe takes what was seen last; nothing in it changes afterwards.
	observe(*observed) tea.Cmd
}

// reaching is a tab that wants to know which row the cursor is on: what it shows
// of it may have to be fetched.
type reaching interface {
	// reached is called after whatever moved the cursor, with the row at hand or
	// none; it is called for the same row again.
	reached(i int) tea.Cmd
}

// tabsOf are the tabs of a page, in their order.
func tabsOf(p *Page) []tab {
	return []tab{
		&apisTab{page: p},
		&functionsTab{page: p},
		&accessTab{page: p},
		&environmentsTab{page: p},
		&tablesTab{page: p},
		&clientTab{page: p},
		&definitionsTab{page: p},
		newActivityTab(p),
	}
}

// nameOfTab is a tab's name without its count, in lower case: it is what its
// dialogs' IDs begin with.
func nameOfTab(t tab) string {
	name, _, _ := strings.Cut(t.title(), " ")
	return strings.ToLower(name)
}

// place is the index of the tab of a name; none where there is no such tab.
func (p *Page) place(name string) int {
	for i, t := range p.tabs {
		if nameOfTab(t) == name {
			return i
		}
	}
	return none
}
