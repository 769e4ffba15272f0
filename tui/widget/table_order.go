package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// This file decides which rows are shown, and in which order.

// arrange sorts the rows, and applies the filter or the folds.
func (t *Table[R]) arrange() {
	t.sortRows()
	words := strings.Fields(strings.ToLower(t.filter.Value()))
	t.shown, t.matches, t.note = t.shown[:0], nil, ""
	switch {
	case len(words) > 0 && t.Judge != nil:
		t.judgeRows()
	case len(words) > 0 && t.Searches:
		t.rankRows(words)
	case len(words) > 0:
		t.filterRows(words)
	default:
		t.showUnfolded()
	}
	t.cursor = max(0, min(t.cursor, len(t.shown)-1))
}

// each calls f with the index of each row, in sorted order.
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

// showUnfolded shows all rows except those of folded groups.
func (t *Table[R]) showUnfolded() {
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

// sortRows sorts by the chosen order, within groups unless that is Flat.
func (t *Table[R]) sortRows() {
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

// Sorted is the name of the chosen order; "" for the usual one.
func (t *Table[R]) Sorted() string {
	if t.sort == 0 || t.sort >= len(t.Sorts) {
		return ""
	}
	return t.Sorts[t.sort].Name
}

// Flat reports whether the chosen order sorts across groups, without their heads.
func (t *Table[R]) Flat() bool { return t.sort < len(t.Sorts) && t.Sorts[t.sort].Flat }

// keepCursor runs change, which may change the rows that are shown, and puts the cursor
// back on its row.
func (t *Table[R]) keepCursor(change func()) {
	id, had := t.currentID()
	change()
	if had {
		t.toID(id)
	}
}

// sortNext chooses the next order; the cursor stays on its row.
func (t *Table[R]) sortNext() tea.Cmd {
	t.keepCursor(func() {
		t.sort = (t.sort + 1) % len(t.Sorts)
		// The text of a column may depend on the order.
		t.widths = nil
		t.arrange()
	})
	return t.moved()
}

// Fold folds the group whose head has an ID, before SetRows shows it.
func (t *Table[R]) Fold(id string) {
	if t.folded == nil {
		t.folded = make(map[string]bool)
	}
	t.folded[id] = true
}

// Folded reports whether the rows of the group whose head has an ID are hidden.
func (t *Table[R]) Folded(id string) bool { return t.folded[id] }

// fold hides or shows the rows of the group that the cursor is in.
func (t *Table[R]) fold() tea.Cmd {
	for at := min(t.cursor, len(t.shown)-1); at >= 0; at-- {
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
