package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// list is a dialog with a table that typing filters.
type list[R any] struct {
	base
	table widget.Table[R]
	// width is the greatest width of a row in cells.
	width int
	// keys are the bindings besides those of the table.
	keys func() []keys.Binding
	// below is the text below the rows; nil if the dialog has none.
	below func() (prose.Tone, string)
	// marked are the keys of the marked rows; nil if rows cannot be marked.
	marked func() []string
}

// widestLabel is the greatest width of a label while the text next to it is cut.
const widestLabel = 32

const notAvailable = "not available: "

func (l *list[R]) Typing() bool { return true }

func (l *list[R]) Update(msg tea.Msg) tea.Cmd { return l.table.Type(msg) }

func (l *list[R]) Bindings() []keys.Binding { return append(l.keys(), l.table.Bindings()...) }

// Copied is the row under the cursor.
func (l *list[R]) Copied() string { return l.table.RowText() }

// take is the binding that takes the row under the cursor, disabled by the result of why.
func (l *list[R]) take(label, about string, why func(R) string, do func(R) tea.Cmd) keys.Binding {
	row, ok := l.table.Row()
	reason := "nothing matches"
	if ok {
		reason = why(row)
	}
	return keys.Open.Does(label, about, func() tea.Cmd { return do(row) }).Shown().Unless(reason)
}

// View draws the list in a box that keeps its size while the filter hides rows, so that it
// does not jump while somebody types.
func (l *list[R]) View(t *theme.Theme, maxW, maxH int) string {
	widest, h := l.width, maxH-frameH
	if widest == listWidth {
		widest += max(0, min(maxW-roomyW, longer))
	}
	w := within(widest, maxW)
	if l.below != nil {
		h -= detailHeight
	}
	h = max(h, 2)
	lines := l.table.Draw(t, w, h, true)
	const filter = 1
	lines = append(lines, make([]string, max(0, min(h, filter+l.table.Len())-len(lines)))...)
	if l.below != nil {
		tone, text := l.below()
		lines = append(lines, widget.Detail(t, tone, text, w, detailHeight)...)
	}
	return box(t, l.title, lines, maxW, maxH)
}
