package widget

import "strings"

// judgeRows shows the rows that Judge keeps.
func (t *Table[R]) judgeRows() {
	keep, marks, note := t.Judge(t.filter.Value())
	if keep == nil {
		t.showUnfolded()
		t.note = note()
		return
	}
	t.matches = &matches{query: NewQuery(strings.Join(marks, " ")), hits: make([]Hit, len(t.rows)), least: Written}
	t.each(func(i int) {
		if keep(t.rows[i]) {
			t.matches.hits[i] = Written
			t.shown = append(t.shown, i)
		}
	})
	if len(t.shown) == 0 && note != nil {
		t.note = note()
	}
}

// AtFirst reports whether the cursor is on the first row that is shown, or there is none.
func (t *Table[R]) AtFirst() bool { return t.cursor == 0 }
