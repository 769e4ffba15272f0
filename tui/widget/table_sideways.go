package widget

import "fmt"

// Where a table has pinned columns, as many of the others as have a place stand beside
// them, from one of them on.

// SetColumns replaces the columns, before the rows that they are for come.
func (t *Table[R]) SetColumns(columns []Column[R]) {
	t.Columns, t.texts, t.widths = columns, nil, nil
}

// Sideways moves through the columns that are not pinned: to those on the right, or
// with less than 0 to those on the left.
func (t *Table[R]) Sideways(by int) {
	t.sideways.first = max(0, min(t.sideways.first+by, len(t.Columns)-t.Pinned-1))
}

// ToColumn has a column stay in view: the index counts those that are not pinned.
func (t *Table[R]) ToColumn(i int) { t.sideways.kept = i + 1 }

// Elsewhere is how many columns on the left and on the right have no place, as last
// drawn.
func (t *Table[R]) Elsewhere() (left, right int) {
	if t.Pinned == 0 {
		return 0, 0
	}
	return t.sideways.first, max(0, len(t.Columns)-t.Pinned-t.sideways.first-max(1, t.sideways.count))
}

// elsewhere says it, with the keys that go there.
func (t *Table[R]) elsewhere() string {
	text := ""
	left, right := t.Elsewhere()
	if left > 0 {
		text += fmt.Sprintf(" ← %d", left)
	}
	if right > 0 {
		text += fmt.Sprintf(" → %d", right)
	}
	return text
}

// moves reports whether a column is one that is moved through.
func (t *Table[R]) moves(i int) bool { return t.Pinned > 0 && i >= t.Pinned }

// fixed reports whether a column has one width whatever it says: of many rows with
// many columns none is measured then.
func (t *Table[R]) fixed(i int) bool {
	c := t.Columns[i]
	return t.moves(i) && c.Least > 0 && c.Least == c.Most
}

// need is how many cells a column takes at the least, with the gap before it.
func (t *Table[R]) need(i int) int {
	if least := t.Columns[i].Least; least > 0 {
		return len(gap) + min(least, t.widths[i])
	}
	return len(gap) + t.widths[i]
}

// layOutSideways gives the pinned columns half of w cells, or what the others leave;
// less than half where that is enough for them without words and all of the others have
// a place then, and where two of the others have a place beside them then: they are
// there to be compared. What remains goes to the others in view, as evenly as they need
// it.
func (t *Table[R]) layOutSideways(w int) []int {
	others, pair, least, enough := 0, 0, -len(gap), -len(gap)
	for i := range t.Columns {
		switch {
		case i >= t.Pinned:
			others += t.need(i)
			pair = max(pair, t.need(i)+t.need(max(t.Pinned, i-1)))
		case t.Columns[i].Brief != nil:
			least += len(gap) + 1
			enough += len(gap) + 1
		default:
			least += t.need(i)
			enough += len(gap) + min(t.widths[i], max(t.Columns[i].Enough, w/2))
		}
	}
	pinned := w - others
	if pinned < enough {
		pinned = max(pinned, w/2)
	}
	if w-pair >= least {
		pinned = max(w-others, min(pinned, w-pair))
	}
	widths := t.divide(pinned, t.Pinned)
	room := w + len(gap)
	for _, width := range widths {
		if width > 0 {
			room -= width + len(gap)
		}
	}
	from, to := t.inView(room)
	for i := from; i < to; i++ {
		widths[i] = max(1, min(t.need(i), room)-len(gap))
		room -= widths[i] + len(gap)
	}
	for grown := true; grown && room > 0; {
		grown = false
		for i := from; i < to && room > 0; i++ {
			if most := t.Columns[i].Most; widths[i] < t.widths[i] && (most == 0 || widths[i] < most) {
				widths[i]++
				room--
				grown = true
			}
		}
	}
	return widths
}

// inView are the columns that have a place in so many cells: one at the least.
func (t *Table[R]) inView(room int) (from, to int) {
	end := len(t.Columns)
	upTo := func(from int) int {
		to, left := from, room-t.need(from)
		for to++; to < end && left >= t.need(to); to++ {
			left -= t.need(to)
		}
		return to
	}
	from = t.Pinned + max(0, min(t.sideways.first, end-t.Pinned-1))
	if kept := t.Pinned + t.sideways.kept - 1; t.sideways.kept > 0 && kept < end {
		from = min(from, kept)
		for upTo(from) <= kept {
			from++
		}
	}
	// No place stays empty at the end.
	for from > t.Pinned && upTo(from-1) == end {
		from--
	}
	to = upTo(from)
	t.sideways.first, t.sideways.count = from-t.Pinned, to-from
	return from, to
}
