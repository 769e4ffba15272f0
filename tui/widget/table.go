package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/theme"
)

// Column is a column of a Table. Its texts are printable.
type Column[R any] struct {
	Title string
	// Sign says that a column that is not pinned comes into view before those without one; it is shown
	// next to the number of the columns that are out of view while this one is. "" for neither.
	Sign string
	// Least is the least width in cells at which the column is useful. Most is its
	// greatest width while any other column is not shown in full. 0 is no limit.
	Least, Most int
	// Enough is the width at which the column is wide enough for other columns to show
	// Text instead of Brief; 0 is its full width.
	Enough int
	// Spare says that the column, of rank 0, is left out where the least widths of all columns
	// do not fit.
	Spare bool
	// Rank says how early the column is hidden in a narrow row: the highest first, 0
	// never. It is shown when all columns of lower rank are shown in full, so that a
	// wider row never shows less.
	Rank int
	// Last says that a column with a Rank comes after what Most has cut of the others.
	Last bool
	Text func(row R) string
	// Brief is shown if there is no room for Text, such as a glyph; nil for none.
	Brief func(row R) string
	// Tone is the tone of the text; nil is prose.Plain.
	Tone func(row R) prose.Tone
	// Right aligns the column at its right end, as numbers are.
	Right bool
	// Middle cuts a text that is too long in its middle, not at its end.
	Middle bool
	// Draw draws a cell, its text already cut and padded, in more colours than that of its
	// tone; nil for that alone. The cursor's row has one style for all its cells. Equal
	// texts of one tone are drawn once.
	Draw func(t *theme.Theme, tone prose.Tone, cell string) string
	// NotSearched hides the column from the filter, because its text follows from other
	// columns.
	NotSearched bool
}

// Below is a function for Table.Level: rows that are no heads belong to the head above.
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
	// Compare orders two rows like cmp.Compare; nil keeps the order of SetRows.
	Compare func(a, b R) int
	// Flat hides the heads of groups and sorts across groups.
	Flat bool
}

// Table is a list of rows with columns and a cursor. It filters, sorts and folds rows,
// and draws only those in view, so it can have many. The exported fields are set before
// the first SetRows, and not changed afterwards.
type Table[R any] struct {
	Columns []Column[R]
	// Pinned is the number of first columns that always stay, while the others scroll
	// sideways if they do not fit; 0 turns that off. The filter searches pinned columns
	// only.
	Pinned int
	// ID identifies a row, so that the cursor stays on it when SetRows is called again.
	ID func(row R) string
	// Words are more text for the filter; nil for none.
	Words func(row R) string
	// Level is 0 for the head of a group, and more for the rows of that group; nil if
	// there are no groups.
	Level func(row R) int
	// Whole is the text of a row that has no columns; ok is false for a row with columns.
	// nil if all rows have columns.
	Whole func(row R) (line prose.Line, ok bool)
	// Sorts are the orders to choose from, the usual one first; may be empty.
	Sorts []Sort[R]
	// Mark is one character before a row, such as a sign for an error, or "". nil leaves
	// no room for marks.
	Mark func(row R) prose.Line
	// Field is a text field instead of the last column of the cursor's row, and its
	// placeholder; the field is nil while nothing is typed there.
	Field func(row R) (field *Field, placeholder string)
	// Heading is a line instead of the columns' titles; nil for those titles.
	Heading func() prose.Line
	// Empty is the text if there are no rows.
	Empty func() string
	// Searches makes typed characters filter at once, and sorts the best match first.
	Searches bool
	// NameColumn is the index of the column whose matches rank highest in a search.
	NameColumn int
	// Exactly hides the rows that are only like the words of a filter while there are others
	// that have them: where the order of the rows matters, or people count them.
	Exactly bool
	// NoFold leaves out the key that folds.
	NoFold bool
	// Framed says that the table is in a pane with a Legend at the right end of its frame:
	// Draw leaves out what that says.
	Framed bool
	// Sum says in the Legend what the rows are, such as "2 APIs, 7 paths"; nil counts them.
	Sum func(rows []R) string
	// Judge makes the condition of a filter instead of the search for its words: which rows it
	// keeps, and the texts to mark in them. For a text that is no filter, keep is nil and note
	// says why; all rows are shown then. note may also explain a filter that keeps no row.
	Judge func(text string) (keep func(row R) bool, marks []string, note func() string)
	// Lead is what the Legend says first, such as what is shown of the rows; nil for nothing.
	Lead func() prose.Line
	// Looked says how many rows a filter found and what it looked through, and the same in
	// short, instead of the number of rows; nil or "" for that number.
	Looked func() (text, short string)
	// Moved is called after the cursor may have moved to another row; nil for nothing.
	Moved func() tea.Cmd

	rows    []R
	texts   []string // what the filter searches, in lower case; made when it is needed
	ids     []string
	sorted  []int // indexes of rows in sorted order; nil is the order of SetRows
	shown   []int // indexes of rows that filter and folds leave
	matches *matches
	// narrowed are the results of the filter for its first letters, then for more of them.
	narrowed []*matches
	names    []string // the texts of NameColumn in lower case; each is made when it is needed
	note     string   // what Judge says of the filter
	folded   map[string]bool
	sort     int
	filter   Field
	typing   bool
	follow   bool

	cursor int // index in shown
	top    int // index in shown of the first row in view
	height int // how many rows are in view, as last drawn
	widths []int
	// longest is the width of the longest row without columns.
	longest int
	sum     string // what Sum returned for rows
	drawer  cellDrawer
	// sideways is the view of columns that are not pinned; inView-1 has to stay in it.
	sideways struct {
		first, inView int
		shown         []int
	}
	// drawn is the line of the first row and the width, as last drawn, for the mouse.
	drawn struct{ first, w int }
}

// SetRows replaces the rows. The cursor stays on its row, or at its index if that row no
// longer exists.
func (t *Table[R]) SetRows(rows []R) {
	last := t.cursor >= len(t.shown)-1
	t.keepCursor(func() {
		t.rows, t.texts, t.widths, t.narrowed, t.names = rows, nil, nil, nil, nil
		t.ids = make([]string, len(rows))
		for i, row := range rows {
			t.ids[i] = t.ID(row)
		}
		if t.Sum != nil {
			t.sum = t.Sum(rows)
		}
		t.arrange()
	})
	if t.follow && last {
		t.cursor = max(0, len(t.shown)-1)
	}
}

// Rows are the rows of SetRows.
func (t *Table[R]) Rows() []R { return t.rows }

// Len is the number of rows without the filter.
func (t *Table[R]) Len() int { return len(t.rows) }

// Count is the number of shown rows that are of one kind.
func (t *Table[R]) Count(is func(R) bool) int {
	n := 0
	for _, i := range t.shown {
		if is(t.rows[i]) {
			n++
		}
	}
	return n
}

// Row is the row under the cursor; false if there is none.
func (t *Table[R]) Row() (row R, ok bool) {
	if i, ok := t.current(); ok {
		return t.rows[i], true
	}
	return row, false
}

// RowText is the text of the row under the cursor; "" if there is none.
func (t *Table[R]) RowText() string {
	row, ok := t.Row()
	if !ok {
		return ""
	}
	if line, ok := t.wholeText(row); ok {
		return strings.TrimSpace(line.Text)
	}
	var cells []string
	for _, c := range t.Columns {
		if text := strings.TrimSpace(c.Text(row)); text != "" {
			cells = append(cells, text)
		}
	}
	return strings.Join(cells, gap)
}

// current is the index of the row under the cursor.
func (t *Table[R]) current() (int, bool) {
	if t.cursor >= len(t.shown) {
		return 0, false
	}
	return t.shown[t.cursor], true
}

func (t *Table[R]) currentID() (string, bool) {
	i, ok := t.current()
	if !ok {
		return "", false
	}
	return t.ids[i], true
}

// To moves the cursor to the row with an ID, unless the filter hides it, and unfolds the
// group that it is in.
func (t *Table[R]) To(id string) {
	defer t.checkFollow()
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

// Show moves the cursor to the row with an ID: it drops the filter and unfolds the group that
// would hide it. It reports whether there is such a row.
func (t *Table[R]) Show(id string) bool {
	if !slices.Contains(t.ids, id) {
		return false
	}
	t.typing = false
	if t.filter.Value() != "" {
		t.filter.SetValue("")
		t.arrange()
	}
	t.To(id)
	now, ok := t.currentID()
	return ok && now == id
}

func (t *Table[R]) toID(id string) bool {
	if now, ok := t.currentID(); ok && now == id {
		return true
	}
	at := slices.IndexFunc(t.shown, func(i int) bool { return t.ids[i] == id })
	if at >= 0 {
		t.cursor = at
	}
	return at >= 0
}

// Move moves the cursor by a number of rows, at most to the first or last.
func (t *Table[R]) Move(by int) tea.Cmd {
	t.cursor = max(0, min(t.cursor+by, len(t.shown)-1))
	t.checkFollow()
	return t.moved()
}

// checkFollow stops following if the cursor is not on the last row.
func (t *Table[R]) checkFollow() { t.follow = t.follow && t.cursor >= len(t.shown)-1 }

func (t *Table[R]) moved() tea.Cmd {
	if t.Moved == nil {
		return nil
	}
	return t.Moved()
}

// Follow moves the cursor to the last row, and keeps it there when rows are added.
func (t *Table[R]) Follow() tea.Cmd {
	cmd := t.Move(len(t.shown))
	t.follow = true
	return cmd
}

// Following reports whether the cursor stays on the last row when rows are added.
func (t *Table[R]) Following() bool { return t.follow }
