package widget

import (
	tea "charm.land/bubbletea/v2"
)

// Bindings are what can be done in the table: moving, filtering, ordering, folding.
func (t *Table[R]) Bindings() []Binding {
	nothing := When(len(t.rows) == 0, "there is no row")
	if t.typing {
		return append([]Binding{
			Open.Does("keep", "keep the filter and go back to the rows", Does(func() { t.typing = false })).Shown(),
			Back.Does("drop", "take the filter away", t.Unfilter).Shown(),
		}, append(TextKeys(), t.moving()...)...)
	}
	if t.Searches {
		return append(TextKeys(), t.moving()...)
	}
	all := t.moving()
	if t.filter.Value() != "" {
		all = append([]Binding{Back.Does("drop filter", "take the filter away", t.Unfilter).Shown().In("filter")}, all...)
	}
	all = append(all, Filter.Does("filter", "leave the rows that have every word that is typed", Does(func() { t.typing = true })).Shown().Unless(nothing).In("filter"))
	if len(t.Sorts) > 1 {
		next := t.Sorts[(t.sort+1)%len(t.Sorts)].Name
		all = append(all, Order.Does("order", "order the rows by "+next, t.sortNext).Unless(nothing).In("filter"))
	}
	if t.Level != nil && !t.NoFold {
		all = append(all, Fold.Does("fold", "hide or show what stands below the head of the group", t.fold).Unless(nothing).In("filter"))
	}
	return all
}

func (t *Table[R]) moving() []Binding {
	by := func(rows int) func() tea.Cmd { return func() tea.Cmd { return t.Move(rows) } }
	page, all := max(1, t.height), len(t.shown)
	return InGroup("move", []Binding{
		Down.Does("down", "move down", by(1)),
		Up.Does("up", "move up", by(-1)),
		PageDown.Does("page down", "move a page down", by(page)),
		PageUp.Does("page up", "move a page up", by(-page)),
		HalfDown.Does("half down", "move half a page down", by((page+1)/2)),
		HalfUp.Does("half up", "move half a page up", by(-(page+1)/2)),
		First.Does("first", "move to the first row", by(-all)),
		Last.Does("last", "move to the last row", by(all)),
	})
}

// Wheel moves the cursor by a few rows.
func (t *Table[R]) Wheel(msg tea.MouseWheelMsg) tea.Cmd {
	if by := wheeled(msg); by != 0 {
		return t.Move(by)
	}
	return nil
}

// Click brings the cursor to the row at a line of the table as it was last drawn;
// again says that it was there already.
func (t *Table[R]) Click(x, y int) (cmd tea.Cmd, again bool) {
	row := t.top + y - t.place.first
	switch {
	case t.typing || x >= t.place.w || y < t.place.first || y >= t.place.first+t.height || row >= len(t.shown):
		return nil, false
	case row == t.at:
		return nil, true
	}
	return t.Move(row - t.at), false
}
