package widget

import (
	"slices"

	"gatewright/tui/layout"
)

// How wide the columns are: measured once for the rows that there are, and divided for
// every width of the table.

// layOut gives each column its width in a row of w cells; 0 where it has no place.
func (t *Table[R]) layOut(w int) []int {
	if t.widths == nil {
		t.measure()
	}
	if t.Pinned > 0 && t.Pinned < len(t.Columns) {
		return t.layOutSideways(w)
	}
	return t.divide(w, len(t.Columns))
}

// divide divides w cells among the first n columns. Those that never go are shrunk
// towards their least; of the others one comes when all before it are shown in full.
// There are words in the place of what is brief where that leaves the others enough.
func (t *Table[R]) divide(w, n int) []int {
	widths, full, ok := t.withAll(w, n, true)
	if !ok {
		// A column that came now would have to go again for the words.
		if widths, full, ok = t.withAll(w, n, false); t.brief(n) || !ok {
			return widths
		}
	}
	for _, i := range t.byRank(n) {
		least, more := t.Columns[i].Least, t.most(i)
		if more == 0 {
			continue
		}
		if full < more+len(gap) {
			if least > 0 && full >= least+len(gap) {
				widths[i] = full - len(gap)
			}
			return widths
		}
		widths[i] = more
		full -= more + len(gap)
	}
	// What is left over goes to the columns that were held back.
	for i := range widths {
		if more := min(full, t.widths[i]-widths[i]); more > 0 && widths[i] > 0 {
			widths[i] += more
			full -= more
		}
	}
	return widths
}

// brief reports whether any of the first n columns has something brief in its place.
func (t *Table[R]) brief(n int) bool {
	return slices.ContainsFunc(t.Columns[:n], func(c Column[R]) bool { return c.Brief != nil && c.Rank == 0 })
}

// withAll divides w cells among those of the first n columns that never go: with words,
// or with what is brief in their place. left is what is left over; ok is false where the
// columns have not all what they need, or with words enough.
func (t *Table[R]) withAll(w, n int, words bool) (widths []int, left int, ok bool) {
	widths, least := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	left = w + len(gap)
	for i, c := range t.Columns[:n] {
		if c.Rank > 0 || t.widths[i] == 0 {
			continue
		}
		widths[i] = t.most(i)
		least[i] = widths[i]
		switch {
		case c.Brief != nil && !words:
			widths[i], least[i] = 1, 1
		case !words:
			least[i] = min(c.Least, widths[i])
		case c.Enough > 0:
			least[i] = min(c.Enough, widths[i])
		}
		left -= widths[i] + len(gap)
	}
	if left < 0 {
		left = -shrink(widths, least, -left)
	}
	return widths, left, left >= 0
}

// most is how many cells a column takes before every other one has what it needs.
func (t *Table[R]) most(i int) int {
	if most := t.Columns[i].Most; most > 0 {
		return min(t.widths[i], most)
	}
	return t.widths[i]
}

// byRank are those of the first n columns that may go, in the order in which they come.
func (t *Table[R]) byRank(n int) []int {
	var order []int
	for i, c := range t.Columns[:n] {
		if c.Rank > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return t.Columns[i].Rank - t.Columns[j].Rank })
	return order
}

// shrink takes cells from columns, from those first that have the most above their
// least, and none below it. It gives how many it could not take.
func shrink(widths, least []int, by int) int {
	for ; by > 0; by-- {
		richest, most := -1, 0
		for i, width := range widths {
			if above := width - least[i]; above > most {
				richest, most = i, above
			}
		}
		if richest < 0 {
			break
		}
		widths[richest]--
	}
	return by
}

// measure finds how wide the columns are in full; a column that says nothing anywhere
// has no place.
func (t *Table[R]) measure() {
	t.widths = make([]int, len(t.Columns))
	var measured []int
	for i := range t.Columns {
		if !t.fixed(i) {
			measured = append(measured, i)
		}
	}
	for _, row := range t.rows {
		if _, ok := t.across(row); ok {
			continue
		}
		for _, i := range measured {
			if text := t.Columns[i].Text(row); len(text) > t.widths[i] {
				t.widths[i] = max(t.widths[i], layout.Width(text))
			}
		}
	}
	for i, c := range t.Columns {
		switch {
		case t.fixed(i):
			t.widths[i] = c.Least
		case t.widths[i] > 0 || t.moves(i):
			t.widths[i] = max(t.widths[i], layout.Width(c.Title))
		}
	}
}
