package widget

import (
	"slices"
	"strings"

	"gatewright/tui/layout"
)

// The widths of columns are measured once for the rows, and divided for each width of
// the table.

// layOut gives each column its width in a row of w cells; 0 hides it.
func (t *Table[R]) layOut(w int) []int {
	if t.widths == nil {
		t.measure()
	}
	if t.Pinned > 0 && t.Pinned < len(t.Columns) {
		return t.layOutSideways(w)
	}
	return t.divide(w, len(t.Columns))
}

// Cuts reports whether a table of w cells cuts texts, or leaves out columns that are never
// hidden.
func (t *Table[R]) Cuts(w int) bool {
	widths := t.layOut(t.rowWidth(w))
	for i, c := range t.Columns {
		if hidden := c.Rank > 0 && widths[i] == 0; !hidden && widths[i] < t.widths[i] {
			return true
		}
	}
	return t.longest > t.rowWidth(w)
}

// ShowsAsMuch reports whether a table of w cells shows as much of each column as one of wider
// cells.
func (t *Table[R]) ShowsAsMuch(w, wider int) bool {
	first := t.sideways
	narrow, wide := t.layOut(t.rowWidth(w)), t.layOut(t.rowWidth(wider))
	t.sideways = first
	for i := range t.Columns {
		if min(narrow[i], t.widths[i]) < min(wide[i], t.widths[i]) {
			return false
		}
	}
	return min(t.longest, t.rowWidth(wider)) <= t.rowWidth(w)
}

// ShownColumn is what a table shows of one of its columns.
type ShownColumn struct {
	// Title is the title of the column, Drawn what is drawn of it.
	Title, Drawn string
	// Shows is how many cells of its longest text are shown; 0 if it is hidden.
	Shows int
}

// Shown is what the table showed of its columns when it was last drawn; the last one is the
// rows without columns.
func (t *Table[R]) Shown() []ShownColumn {
	w := t.rowWidth(t.drawn.w)
	widths := t.layOut(w)
	all := make([]ShownColumn, 0, len(t.Columns)+1)
	for i, c := range t.Columns {
		shown := ShownColumn{Title: c.Title, Shows: min(widths[i], t.widths[i])}
		if widths[i] > 0 {
			shown.Drawn = strings.TrimSpace(t.title(i, widths[i]))
		}
		all = append(all, shown)
	}
	return append(all, ShownColumn{Shows: min(t.longest, w)})
}

// rowWidth is the width of the columns in a table of w cells.
func (t *Table[R]) rowWidth(w int) int {
	w = max(w-pointerW, 1)
	if t.Mark != nil {
		w = max(w-1, 1)
	}
	return w
}

// divide divides w cells among the first n columns. Columns of rank 0 shrink towards
// their Least; one of another rank is shown when all before it are shown in full. Brief
// texts are replaced by words if that leaves the others Enough.
func (t *Table[R]) divide(w, n int) []int {
	widths, full, ok := t.divideFixed(w, n, true)
	if !ok {
		// A ranked column that is shown now would have to be hidden for the words later.
		if widths, full, ok = t.divideFixed(w, n, false); t.hasBrief(n) || !ok {
			return widths
		}
	}
	for _, i := range t.byRank(n) {
		least, more := t.Columns[i].Least, t.most(i)
		if more == 0 {
			continue
		}
		if t.Columns[i].Last {
			full = t.widen(widths, full)
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
	t.widen(widths, full)
	return widths
}

// widen gives what is left to the columns that Most has limited, and returns what is left then.
func (t *Table[R]) widen(widths []int, left int) int {
	for i := range widths {
		if more := min(left, t.widths[i]-widths[i]); more > 0 && widths[i] > 0 {
			widths[i] += more
			left -= more
		}
	}
	return left
}

// hasBrief reports whether any of the first n columns of rank 0 has a Brief.
func (t *Table[R]) hasBrief(n int) bool {
	return slices.ContainsFunc(t.Columns[:n], func(c Column[R]) bool { return c.Brief != nil && c.Rank == 0 })
}

// divideFixed divides w cells among those of the first n columns that have rank 0, with words or with their
// Brief texts. left is the rest; ok is false if the columns do not fit, or not with Enough for words.
func (t *Table[R]) divideFixed(w, n int, words bool) (widths []int, left int, ok bool) {
	widths, least := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	left = w + len(gap)
	brief := !words && t.hasBrief(n)
	for i, c := range t.Columns[:n] {
		if c.Rank > 0 || t.widths[i] == 0 {
			continue
		}
		widths[i] = t.most(i)
		enough := widths[i]
		if c.Enough > 0 {
			enough = min(c.Enough, enough)
		}
		switch {
		case c.Brief != nil && !words:
			widths[i], least[i] = 1, 1
		case brief:
			// What is more than enough comes after the words.
			widths[i], least[i] = enough, min(c.Least, enough)
		case !words:
			least[i] = min(c.Least, widths[i])
		default:
			least[i] = enough
		}
		left -= widths[i] + len(gap)
	}
	if left < 0 && !words {
		left = t.dropSpare(widths, least, left)
	}
	if left < 0 {
		left = -shrink(widths, least, -left)
	}
	return widths, left, left >= 0
}

// dropSpare leaves out the first spare columns, as many as it takes for the others to have
// their least widths, and returns how many cells are left then. The others get no more than
// that: where the spare ones fit again they would have to give it back.
func (t *Table[R]) dropSpare(widths, least []int, left int) int {
	dropped := false
	for i, c := range t.Columns[:len(widths)] {
		if left+above(widths, least) >= 0 {
			break
		}
		if c.Spare && widths[i] > 0 {
			left += widths[i] + len(gap)
			widths[i], least[i], dropped = 0, 0, true
		}
	}
	if !dropped || left+above(widths, least) < 0 {
		return left
	}
	left += above(widths, least)
	copy(widths, least)
	return left
}

// above is how many cells columns have above their least widths.
func above(widths, least []int) int {
	sum := 0
	for i, width := range widths {
		sum += max(0, width-least[i])
	}
	return sum
}

// most is the width that a column takes before every other one is shown in full.
func (t *Table[R]) most(i int) int {
	if most := t.Columns[i].Most; most > 0 {
		return min(t.widths[i], most)
	}
	return t.widths[i]
}

// byRank returns which of the first n columns may be hidden, in the order in which they
// are shown.
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

// shrink takes cells from columns, first from those with the most above their least. It
// returns how many cells it could not take.
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

// measure finds the full width of each column; 0 for a column without text in any row.
func (t *Table[R]) measure() {
	t.widths, t.longest = make([]int, len(t.Columns)), 0
	var measured []int
	for i := range t.Columns {
		if !t.fixed(i) {
			measured = append(measured, i)
		}
	}
	for _, row := range t.rows {
		if line, ok := t.wholeText(row); ok {
			t.longest = max(t.longest, layout.Width(line.Text))
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
		case t.widths[i] > 0 || t.scrolls(i):
			t.widths[i] = max(t.widths[i], layout.Width(c.Title))
		}
	}
}
