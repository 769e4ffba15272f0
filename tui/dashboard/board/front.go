package board

import tea "charm.land/bubbletea/v2"

// SetFront says which tab is open, and tells it.
func (b *Board) SetFront(tab Tab) tea.Cmd {
	b.front.Store(&tab)
	moves := b.Move()
	if f, ok := tab.(Fronter); ok {
		return tea.Batch(f.Front(), moves)
	}
	return moves
}

// IsInFront reports whether a tab is open. Watches may ask it, too: what nobody sees need not
// be polled.
func (b *Board) IsInFront(tab Tab) bool {
	front := b.front.Load()
	return front != nil && *front == tab
}
