package board

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/widget"
)

// Listing is the part that all tabs embed: a name, rows, and the details of the selected one.
type Listing[R any] struct {
	// TabName is the name of the tab, one word. TabShort is it in a few letters, for a narrow
	// window; "" if it is short itself.
	TabName, TabShort string
	// TabRoom is how many cells are kept free for what Title adds to the name, so that the
	// names of other tabs stay in their place when that comes and goes.
	TabRoom int
	List    widget.Table[R]
	// Describe gives the details of a row, the most important first, safe for the screen.
	Describe func(R) []prose.Line
	// Called is the name of a row, safe for the screen.
	Called func(R) string
	// Beside is the third pane of a row; nil for none.
	Beside func(R) Third
}

// Name is the name of the tab.
func (l *Listing[R]) Name() string { return l.TabName }

// Short is the name in a few letters.
func (l *Listing[R]) Short() string { return cmp.Or(l.TabShort, l.TabName) }

// TitleRoom is how many cells are kept free after the name.
func (l *Listing[R]) TitleRoom() int { return l.TabRoom }

// Title is the name.
func (l *Listing[R]) Title() string { return l.TabName }

// Table is the table of the rows.
func (l *Listing[R]) Table() Table { return &l.List }

// Detail gives the details of the selected row.
func (l *Listing[R]) Detail() []prose.Line {
	if r, ok := l.List.Row(); ok {
		return l.Describe(r)
	}
	return nil
}

// Subject is the name of the selected row.
func (l *Listing[R]) Subject() string {
	if r, ok := l.List.Row(); ok && l.Called != nil {
		return l.Called(r)
	}
	return ""
}

// ShowRow moves the cursor to the row with an ID; false if there is none.
func (l *Listing[R]) ShowRow(id string) bool { return l.List.Show(id) }

// ShowRows is what Read returns in a tab that only shows rows.
func (l *Listing[R]) ShowRows(rows []R) (take func() tea.Cmd) {
	return keys.NoCmd(func() { l.List.SetRows(rows) })
}

// Third is the third pane of the selected row.
func (l *Listing[R]) Third([]prose.Line) Third {
	if r, ok := l.List.Row(); ok && l.Beside != nil {
		return l.Beside(r)
	}
	return Third{}
}
