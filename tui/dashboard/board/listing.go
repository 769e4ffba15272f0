package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/widget"
)

// Listing is what every tab is made of: a name, rows, and what is to be said of the row
// at hand. A tab embeds it, and adds what is its own.
type Listing[R any] struct {
	// Called is what stands on the tab, in one word.
	Called string
	List   widget.Table[R]
	// Told is what is to be said of a row, the most wanted first. It is fit for the
	// screen.
	Told func(R) []prose.Line
}

// Name is what the tab is called.
func (l *Listing[R]) Name() string { return l.Called }

// Title says no more than the name.
func (l *Listing[R]) Title() string { return l.Called }

// Table is what is drawn and moved in.
func (l *Listing[R]) Table() Table { return &l.List }

// Detail is what is to be said of the row at hand.
func (l *Listing[R]) Detail() []prose.Line {
	if r, ok := l.List.Row(); ok {
		return l.Told(r)
	}
	return nil
}

// Shows is for Read, where there is nothing to do but to show rows.
func (l *Listing[R]) Shows(rows []R) (take func() tea.Cmd) {
	return widget.NoCmd(func() { l.List.SetRows(rows) })
}
