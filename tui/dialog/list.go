package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// list is rows with a filter above them and a cursor on one of those that the
// filter leaves.
type list struct {
	filter Field
	// texts are what the filter looks at, in lower case, one for each row.
	texts []string
	shown []int // rows that the filter leaves
	at    int   // index in shown
	top   int   // index in shown of the first row in view
	rows  int   // how many rows are in view, as last drawn
}

func newList(texts []string) list {
	l := list{texts: make([]string, len(texts)), rows: 1}
	for i, text := range texts {
		l.texts[i] = strings.ToLower(text)
	}
	l.apply()
	return l
}

// apply leaves the rows that have every word of the filter.
func (l *list) apply() {
	words := strings.Fields(strings.ToLower(l.filter.Value()))
	l.shown, l.at, l.top = l.shown[:0], 0, 0
	for i, text := range l.texts {
		if hasAll(text, words) {
			l.shown = append(l.shown, i)
		}
	}
}

func hasAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// selected is the row under the cursor; false where the filter leaves none.
func (l *list) selected() (int, bool) {
	if l.at >= len(l.shown) {
		return 0, false
	}
	return l.shown[l.at], true
}

// update moves the cursor or changes the filter. All printable keys belong to
// the filter.
func (l *list) update(msg tea.Msg) {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		step := 0
		switch key.String() {
		case "up", "ctrl+p", "shift+tab":
			step = -1
		case "down", "ctrl+n", "tab":
			step = 1
		case "pgup":
			step = -l.rows
		case "pgdown":
			step = l.rows
		}
		if step != 0 {
			l.at = max(min(l.at+step, len(l.shown)-1), 0)
			return
		}
	}
	before := l.filter.Value()
	l.filter.Update(msg)
	if l.filter.Value() != before {
		l.apply()
	}
}

// view draws the filter and as many rows as fit in h lines of w cells. One row
// is one line; draw is given its index and whether the cursor is on it.
func (l *list) view(t *theme.Theme, w, h int, draw func(row int, selected bool) string) []string {
	lines := []string{t.Key.Render("/ ") + l.filter.View(t, "type to filter", w-2, true)}
	l.rows = max(h-len(lines)-1, 1)
	if l.at < l.top {
		l.top = l.at
	}
	l.top = max(l.top, l.at-l.rows+1)
	l.top = max(min(l.top, len(l.shown)-l.rows), 0)
	end := min(l.top+l.rows, len(l.shown))
	for i := l.top; i < end; i++ {
		lines = append(lines, layout.Cut(draw(l.shown[i], i == l.at), w))
	}
	if len(l.shown) == 0 {
		lines = append(lines, t.Muted.Render(layout.Cut("nothing matches: backspace takes the filter back", w)))
	}
	return append(lines, l.count(t, end))
}

// count says how much of the list is in view.
func (l *list) count(t *theme.Theme, end int) string {
	switch {
	case len(l.shown) == 0:
		return ""
	case l.top > 0 || end < len(l.shown):
		return t.Muted.Render(spanOf(l.top+1, end, len(l.shown)))
	default:
		return t.Muted.Render(spanOf(len(l.shown), 0, len(l.texts)))
	}
}
