package dashboard

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// entry is a row as a list knows it.
type entry struct {
	// id is the same when the row comes again after a reading.
	id string
	// text is what the filter looks at, in lower case.
	text string
	// head is the row that stands above it, and is shown when it is; none where
	// there is none.
	head int
}

// list is rows with a filter and a cursor on one of those that the filter
// leaves. The zero value is empty.
type list struct {
	entries []entry
	filter  dialog.Field
	shown   []int // rows that the filter leaves
	at      int   // index in shown
	top     int   // index in shown of the first row in view
	rows    int   // how many rows are in view, as last drawn
}

// set replaces the rows. The cursor stays on its row; where that is gone, on its
// place.
func (l *list) set(entries []entry) {
	id := ""
	if row := l.row(); row != none {
		id = l.entries[row].id
	}
	l.entries = entries
	l.apply()
	for i, row := range l.shown {
		if entries[row].id == id {
			l.at = i
			return
		}
	}
}

// apply leaves the rows that have every word of the filter, and those above them.
// It gives the first of shown that has the words itself.
func (l *list) apply() int {
	words := strings.Fields(strings.ToLower(l.filter.Value()))
	l.shown = l.shown[:0]
	kept, found := false, none
	for i, e := range l.entries {
		// Rows that belong together have one text, which may be long.
		if i == 0 || e.text != l.entries[i-1].text {
			kept = hasAll(e.text, words)
		}
		if !kept {
			continue
		}
		if e.head != none && (len(l.shown) == 0 || l.shown[len(l.shown)-1] < e.head) {
			l.shown = append(l.shown, e.head)
		}
		if found == none {
			found = len(l.shown)
		}
		l.shown = append(l.shown, i)
	}
	l.at = max(0, min(l.at, len(l.shown)-1))
	return max(0, found)
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// row is the row under the cursor; none where the filter leaves none.
func (l *list) row() int {
	if l.at >= len(l.shown) {
		return none
	}
	return l.shown[l.at]
}

// move moves the cursor by a number of rows, as far as there are any.
func (l *list) move(by int) { l.at = max(0, min(l.at+by, len(l.shown)-1)) }

// toRow moves the cursor to a row that the filter leaves.
func (l *list) toRow(row int) {
	for i, shown := range l.shown {
		if shown == row {
			l.at = i
		}
	}
}

// typed gives a key or a paste to the filter. The cursor goes to the first row
// that it finds.
func (l *list) typed(msg tea.Msg) {
	before := l.filter.Value()
	l.filter.Update(msg)
	if l.filter.Value() != before {
		l.at = l.apply()
	}
}

// clear takes the filter away; the cursor stays on its row.
func (l *list) clear() {
	row := l.row()
	l.filter.SetValue("")
	l.apply()
	l.toRow(row)
}

// window is the part of shown that is in view in h rows, with the cursor in it.
func (l *list) window(h int) (from, to int) {
	l.rows = max(1, h)
	if l.at < l.top {
		l.top = l.at
	}
	l.top = max(l.top, l.at-l.rows+1)
	l.top = max(0, min(l.top, len(l.shown)-l.rows))
	return l.top, min(l.top+l.rows, len(l.shown))
}
