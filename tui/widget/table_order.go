package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Which rows are shown, and in which order: sorting and folding.

// arrange orders the rows, and leaves those that filter and folds do.
func (t *Table[R]) arrange() {
	t.order()
	words := strings.Fields(strings.ToLower(t.filter.Value()))
	t.shown, t.found = t.shown[:0], nil
	switch {
	case len(words) > 0 && t.Searches:
		t.rank(words)
	case len(words) > 0:
		t.leave(words)
	default:
		t.unfolded()
	}
	t.at = max(0, min(t.at, len(t.shown)-1))
}

// each calls f with the rows in their order.
func (t *Table[R]) each(f func(i int)) {
	if t.sorted == nil {
		for i := range t.rows {
			f(i)
		}
		return
	}
	for _, i := range t.sorted {
		f(i)
	}
}

// unfolded leaves all rows but those below a head that is folded.
func (t *Table[R]) unfolded() {
	hidden := false
	t.each(func(i int) {
		if len(t.folded) > 0 {
			if t.isHead(i) {
				hidden = t.folded[t.ids[i]]
			} else if hidden {
				return
			}
		}
		t.shown = append(t.shown, i)
	})
}

// order puts the rows into the order that was chosen: those of a group among
// themselves.
func (t *Table[R]) order() {
	t.sorted = nil
	var by Sort[R]
	if t.sort < len(t.Sorts) {
		by = t.Sorts[t.sort]
	}
	if by.Compare == nil && !by.Flat {
		return
	}
	t.sorted = make([]int, 0, len(t.rows))
	for i := range t.rows {
		if !by.Flat || !t.isHead(i) {
			t.sorted = append(t.sorted, i)
		}
	}
	if by.Compare == nil {
		return
	}
	compare := func(i, j int) int { return by.Compare(t.rows[i], t.rows[j]) }
	for group := t.sorted; len(group) > 0; {
		if t.isHead(group[0]) {
			group = group[1:]
		}
		end := slices.IndexFunc(group, t.isHead)
		if end < 0 {
			end = len(group)
		}
		slices.SortStableFunc(group[:end], compare)
		group = group[end:]
	}
}

// isHead reports whether a row is the head of a group.
func (t *Table[R]) isHead(i int) bool { return t.Level != nil && t.Level(t.rows[i]) == 0 }

// Sorted is the name of the order that was chosen; "" where it is the usual one.
func (t *Table[R]) Sorted() string {
	if t.sort == 0 || t.sort >= len(t.Sorts) {
		return ""
	}
	return t.Sorts[t.sort].Name
}

// keeping runs a change of what is shown, with the cursor on its row.
func (t *Table[R]) keeping(change func()) {
	id, had := t.currentID()
	change()
	if had {
		t.toID(id)
	}
}

// sortNext puts the rows into the next order; the cursor stays on its row.
func (t *Table[R]) sortNext() tea.Cmd {
	t.keeping(func() {
		t.sort = (t.sort + 1) % len(t.Sorts)
		// What a column says may depend on the order.
		t.widths = nil
		t.arrange()
	})
	return t.moved()
}

// fold hides what stands below the head of the group at hand, or shows it again.
func (t *Table[R]) fold() tea.Cmd {
	for at := min(t.at, len(t.shown)-1); at >= 0; at-- {
		i := t.shown[at]
		if !t.isHead(i) {
			continue
		}
		if t.folded == nil {
			t.folded = make(map[string]bool)
		}
		t.folded[t.ids[i]] = !t.folded[t.ids[i]]
		t.arrange()
		t.toID(t.ids[i])
		break
	}
	return t.moved()
}
