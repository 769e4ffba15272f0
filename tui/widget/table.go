package widget

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
)

// Column is a column of a Table. Its texts are fit for the screen.
type Column[R any] struct {
	Title string
	// Least is how many cells it needs to say anything, Most how many it takes before
	// every other column has all that it needs; 0 is no limit.
	Least, Most int
	// Enough is how many cells it takes before other columns have words in the place of
	// what is Brief; 0 is all that it needs.
	Enough int
	// Rank says how early the column goes where the row is narrow: the highest goes
	// first, and 0 never does. One that goes comes back when all columns of a lower
	// rank are shown in full, so that a wider row never shows less.
	Rank int
	Text func(row R) string
	// Brief is what stands there where there is no room for Text, such as a glyph;
	// nil for none.
	Brief func(row R) string
	// Tone is what the text means; nil is prose.Plain.
	Tone func(row R) prose.Tone
	// Aside says that the filter does not look at the column: what it says follows from
	// the others.
	Aside bool
}

// Below is a Level: the rows that are no head stand below the one before them.
func Below[R any](isHead func(R) bool) func(R) int {
	return func(row R) int {
		if isHead(row) {
			return 0
		}
		return 1
	}
}

// Sort is an order of the rows.
type Sort[R any] struct {
	Name string
	// Compare tells which of two rows comes first, as cmp.Compare does; nil leaves
	// them as they came.
	Compare func(a, b R) int
	// Flat leaves the heads of groups out, and orders across them.
	Flat bool
}

// Table is rows with a cursor on one of them: a list where it has one column. It
// filters, orders and folds them, and draws the part that is in view, of however many.
// The exported fields are set before the first rows come, and not changed afterwards.
type Table[R any] struct {
	Columns []Column[R]
	// Pinned is how many of the first columns stay where they are while the others are
	// moved through sideways, where those have not all a place; 0 where none are. The
	// filter looks at the pinned ones alone.
	Pinned int
	// ID is the same when a row comes again: the cursor stays on its row.
	ID func(row R) string
	// Words are what the filter looks at beside the texts of the columns; nil is
	// nothing more.
	Words func(row R) string
	// Level is 0 for the head of a group, and more for the rows that follow below it;
	// nil where there are no groups.
	Level func(row R) int
	// Whole is the text of a row that has no columns, which goes across all; nil where
	// there are none. ok is false for the others.
	Whole func(row R) (line prose.Line, ok bool)
	// Sorts are the orders, the usual one first; fewer than two for none to choose.
	Sorts []Sort[R]
	// Mark is one character before a row that draws the eye, such as where something is
	// wrong; "" for none. All rows leave room for it; nil is no room.
	Mark func(row R) prose.Line
	// Field is the text field in the place of the last column of the row under the
	// cursor, while somebody types there, and its placeholder; nil while nobody does.
	Field func(row R) (field *Field, placeholder string)
	// Heading stands in the place of the columns' titles; nil where those do.
	Heading func() prose.Line
	// Empty says what there is where there are no rows.
	Empty func() string
	// Searches has typed characters filter at once, and puts what fits best first.
	Searches bool
	// KnownBy is the index of the column by which a row is known, for that.
	KnownBy int
	// NoFold leaves folding to whoever has the table.
	NoFold bool
	// Moved is called after the cursor may have come to another row; nil for nothing.
	Moved func() tea.Cmd

	rows   []R
	texts  []string // what the filter looks at, in lower case; made when it is needed
	ids    []string
	sorted []int // rows in their order; nil is as they came
	shown  []int // of those the ones that filter and folds leave
	found  *finding
	folded map[string]bool
	sort   int
	filter Field
	typing bool
	follow bool

	at     int // index in shown
	top    int // index in shown of the first row in view
	height int // how many rows are in view, as last drawn
	widths []int
	// sideways is what of the columns that are not pinned is in view.
	sideways struct{ first, count, kept int }
	// place is where the rows were drawn last, for the mouse.
	place struct{ first, w int }
}

// SetRows replaces the rows. The cursor stays on its row; where that is gone, on its
// place.
func (t *Table[R]) SetRows(rows []R) {
	last := t.at >= len(t.shown)-1
	t.keeping(func() {
		t.rows, t.texts, t.widths = rows, nil, nil
		t.ids = make([]string, len(rows))
		for i, row := range rows {
			t.ids[i] = t.ID(row)
		}
		t.arrange()
	})
	if t.follow && last {
		t.at = max(0, len(t.shown)-1)
	}
}

// Rows are the rows as they were set.
func (t *Table[R]) Rows() []R { return t.rows }

// Len is how many rows there are, whatever the filter leaves.
func (t *Table[R]) Len() int { return len(t.rows) }

// Row is the row under the cursor; false where there is none.
func (t *Table[R]) Row() (row R, ok bool) {
	if i, ok := t.current(); ok {
		return t.rows[i], true
	}
	return row, false
}

// current is the index of the row under the cursor.
func (t *Table[R]) current() (int, bool) {
	if t.at >= len(t.shown) {
		return 0, false
	}
	return t.shown[t.at], true
}

func (t *Table[R]) currentID() (string, bool) {
	i, ok := t.current()
	if !ok {
		return "", false
	}
	return t.ids[i], true
}

// To brings the cursor to the row of an ID, where the filter leaves it; a fold above
// it is opened.
func (t *Table[R]) To(id string) {
	defer t.stay()
	if t.toID(id) {
		return
	}
	for head := slices.Index(t.ids, id); head >= 0; head-- {
		if t.isHead(head) {
			delete(t.folded, t.ids[head])
			t.arrange()
			t.toID(id)
			return
		}
	}
}

func (t *Table[R]) toID(id string) bool {
	if now, ok := t.currentID(); ok && now == id {
		return true
	}
	at := slices.IndexFunc(t.shown, func(i int) bool { return t.ids[i] == id })
	if at >= 0 {
		t.at = at
	}
	return at >= 0
}

// Move moves the cursor by a number of rows, as far as there are any.
func (t *Table[R]) Move(by int) tea.Cmd {
	t.at = max(0, min(t.at+by, len(t.shown)-1))
	t.stay()
	return t.moved()
}

// stay stops following where the cursor has left the last row.
func (t *Table[R]) stay() { t.follow = t.follow && t.at >= len(t.shown)-1 }

func (t *Table[R]) moved() tea.Cmd {
	if t.Moved == nil {
		return nil
	}
	return t.Moved()
}

// Follow brings the cursor to the last row, where it stays as more come until it is
// moved.
func (t *Table[R]) Follow() tea.Cmd {
	cmd := t.Move(len(t.shown))
	t.follow = true
	return cmd
}

// Following reports whether the cursor stays on the last row as more come.
func (t *Table[R]) Following() bool { return t.follow }
