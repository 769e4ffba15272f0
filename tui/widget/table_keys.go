package widget

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/keys"
)

// Bindings move, filter, sort and fold.
func (t *Table[R]) Bindings() []keys.Binding {
	nothing := keys.When(len(t.rows) == 0, "there is no row")
	if t.typing {
		return append([]keys.Binding{
			keys.Open.Does("keep", "keep the filter and go back to the rows", keys.NoCmd(func() { t.typing = false })).Shown(),
			keys.Back.Does("drop", "remove the filter", t.Unfilter).Shown(),
		}, append(TextKeys(), t.moving()...)...)
	}
	if t.Searches {
		return append(TextKeys(), t.moving()...)
	}
	all := t.moving()
	if t.filter.Value() != "" {
		all = append([]keys.Binding{keys.Back.Does("drop filter", "remove the filter", t.Unfilter).Shown().In("filter")},
			all...)
	}
	all = append(all,
		keys.Filter.Does("filter", "show only the rows that have every typed word",
			keys.NoCmd(func() { t.typing = true })).Shown().Unless(nothing).In("filter"))
	if len(t.Sorts) > 1 {
		next := t.Sorts[(t.sort+1)%len(t.Sorts)].Name
		all = append(all, keys.Order.Does("order", "sort the rows by "+next, t.sortNext).Unless(nothing).In("filter"))
	}
	if t.Level != nil && !t.NoFold {
		all = append(all, keys.Fold.Does("fold", "hide or show the rows of the group", t.fold).Unless(nothing).In("filter"))
	}
	return all
}

func (t *Table[R]) moving() []keys.Binding {
	return Moves("move", t.height, len(t.shown), t.Move)
}

// Moves are the bindings that move by rows, of which so many are on a page and in all. move, as help calls it, does.
func Moves(word string, page, all int, move func(rows int) tea.Cmd) []keys.Binding {
	by := func(rows int) func() tea.Cmd { return func() tea.Cmd { return move(rows) } }
	page = max(1, page)
	return keys.InGroup(word, []keys.Binding{
		keys.Down.Does("down", word+" down", by(1)),
		keys.Up.Does("up", word+" up", by(-1)),
		keys.PageDown.Does("page down", word+" a page down", by(page)),
		keys.PageUp.Does("page up", word+" a page up", by(-page)),
		keys.HalfDown.Does("half down", word+" half a page down", by((page+1)/2)),
		keys.HalfUp.Does("half up", word+" half a page up", by(-(page+1)/2)),
		keys.First.Does("first", "go to the first row", by(-all)),
		keys.Last.Does("last", "go to the last row", by(all)),
	})
}

// Wheel moves the cursor by a few rows.
func (t *Table[R]) Wheel(msg tea.MouseWheelMsg) tea.Cmd {
	if by := WheelSteps(msg); by != 0 {
		return t.Move(by)
	}
	return nil
}

// Click moves the cursor to the row at a cell of the table as it was last drawn. again
// reports that the cursor was there already.
func (t *Table[R]) Click(x, y int) (cmd tea.Cmd, again bool) {
	row := t.top + y - t.drawn.first
	switch {
	case t.typing || x >= t.drawn.w || y < t.drawn.first || y >= t.drawn.first+t.height || row >= len(t.shown):
		return nil, false
	case row == t.cursor:
		return nil, true
	}
	return t.Move(row - t.cursor), false
}
