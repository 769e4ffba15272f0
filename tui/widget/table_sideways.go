package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A table with pinned columns shows as many of the others next to them as fit, and
// scrolls through those.

// SetColumns replaces the columns. It is called before SetRows with the rows for them.
func (t *Table[R]) SetColumns(columns []Column[R]) {
	t.Columns, t.texts, t.widths, t.narrowed, t.names = columns, nil, nil, nil, nil
}

// Sideways scrolls right by a number of columns, left if it is negative.
func (t *Table[R]) Sideways(by int) {
	t.sideways.first = max(0, min(t.sideways.first+by, len(t.Columns)-t.Pinned-1))
}

// ToColumn keeps a column in view; i does not count pinned columns.
func (t *Table[R]) ToColumn(i int) { t.sideways.inView = i + 1 }

// HiddenColumns is how many columns are hidden on the left and on the right, as last
// drawn.
func (t *Table[R]) HiddenColumns() (left, right int) {
	if t.Pinned == 0 {
		return 0, 0
	}
	return t.sideways.first, max(0, len(t.Columns)-t.Pinned-t.sideways.first-max(1, len(t.sideways.shown)))
}

// hiddenText is HiddenColumns as text, with arrows.
func (t *Table[R]) hiddenText() string {
	text := ""
	left, right := t.HiddenColumns()
	signs := func(from, to int) (signs string) {
		for i := from; i < to; i++ {
			if sign := t.Columns[i].Sign; !strings.Contains(signs, sign) && !slices.Contains(t.sideways.shown, i) {
				signs += sign
			}
		}
		return signs
	}
	if left > 0 {
		text += fmt.Sprintf(" ← %d%s", left, signs(t.Pinned, t.Pinned+left))
	}
	if right > 0 {
		text += fmt.Sprintf(" → %d%s", right, signs(t.Pinned+left, len(t.Columns)))
	}
	return text
}

// scrolls reports whether a column is not pinned.
func (t *Table[R]) scrolls(i int) bool { return t.Pinned > 0 && i >= t.Pinned }

// fixed reports whether a column has the same width for all texts, so that it need not
// be measured.
func (t *Table[R]) fixed(i int) bool {
	c := t.Columns[i]
	return t.scrolls(i) && c.Least > 0 && c.Least == c.Most
}

// need is the least width of a column with the gap before it.
func (t *Table[R]) need(i int) int {
	if least := t.Columns[i].Least; least > 0 {
		return len(gap) + min(least, t.widths[i])
	}
	return len(gap) + t.widths[i]
}

// layOutSideways divides w cells between the pinned columns and the others. The pinned ones get half, or more
// if the others need less. If one of them has Enough, they get no more than that where more others fit so.
// They get less than half, and show their brief texts, if that lets all others fit, or at least two of them,
// which can be compared then. The rest is divided evenly among the other columns in view.
func (t *Table[R]) layOutSideways(w int) []int {
	others, pair, least, enough := 0, 0, -len(gap), -len(gap)
	limited := false
	for i := range t.Columns {
		switch {
		case t.widths[i] == 0:
		case i >= t.Pinned:
			others += t.need(i)
			pair = max(pair, t.need(i)+t.need(max(t.Pinned, i-1)))
		case t.Columns[i].Brief != nil:
			least += len(gap) + 1
			enough += len(gap) + 1
		default:
			least += t.need(i)
			limited = limited || t.Columns[i].Enough > 0
			enough += len(gap) + min(t.widths[i], cmp.Or(t.Columns[i].Enough, w/2))
		}
	}
	pinned := w - others
	if pinned < enough {
		pinned = max(pinned, w/2)
	}
	if w-pair >= least {
		pinned = max(w-others, min(pinned, w-pair))
	}
	if limited && others > w-enough {
		pinned = max(enough, w-t.fitting(w-enough))
	}
	widths := t.divide(pinned, t.Pinned)
	room := w + len(gap)
	for _, width := range widths {
		if width > 0 {
			room -= width + len(gap)
		}
	}
	shown := t.inView(room)
	for _, i := range shown {
		widths[i] = max(1, min(t.need(i), room)-len(gap))
		room -= widths[i] + len(gap)
	}
	for grown := true; grown && room > 0; {
		grown = false
		for _, i := range shown {
			if most := t.Columns[i].Most; room > 0 && widths[i] < t.widths[i] && (most == 0 || widths[i] < most) {
				widths[i]++
				room--
				grown = true
			}
		}
	}
	return widths
}

// fitting are the cells that as many of the other columns need as fit into room.
func (t *Table[R]) fitting(room int) int {
	used := 0
	for _, i := range t.pick(t.Pinned, room) {
		used += t.need(i)
	}
	return used
}

// pick are the columns from one on that fit into a number of cells, at least one. Those with a Sign come
// before the others, and all stay in their order.
func (t *Table[R]) pick(from, room int) []int {
	picked := []int{from}
	room -= t.need(from)
	for _, signed := range []bool{true, false} {
		for i := from + 1; i < len(t.Columns) && room >= 0; i++ {
			if signed == (t.Columns[i].Sign != "") {
				if room -= t.need(i); room >= 0 {
					picked = append(picked, i)
				}
			}
		}
	}
	slices.Sort(picked)
	return picked
}

// inView are the columns that fit into a number of cells, at least one.
func (t *Table[R]) inView(room int) []int {
	end := len(t.Columns)
	from := t.Pinned + max(0, min(t.sideways.first, end-t.Pinned-1))
	if kept := t.Pinned + t.sideways.inView - 1; t.sideways.inView > 0 && kept < end {
		from = min(from, kept)
		for !slices.Contains(t.pick(from, room), kept) {
			from++
		}
	}
	// Fill the space after the last column.
	for from > t.Pinned && len(t.pick(from-1, room)) > end-from {
		from--
	}
	t.sideways.first, t.sideways.shown = from-t.Pinned, t.pick(from, room)
	return t.sideways.shown
}
