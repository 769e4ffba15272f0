package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// list is a dialog over a table, which typing filters. Whoever makes one says what its
// keys do.
type list[R any] struct {
	base
	table widget.Table[R]
	// wide is how many cells a line has at most.
	wide int
	// keys are what can be done beside moving and filtering.
	keys func() []widget.Binding
	// below is what is said below the rows; nil where that is nothing at any time.
	below func() (prose.Tone, string)
}

// widestLabel is how many cells a label takes before what is said of it is shown in full.
const widestLabel = 32

const notAvailable = "not available: "

func (l *list[R]) Typing() bool { return true }

func (l *list[R]) Update(msg tea.Msg) tea.Cmd { return l.table.Type(msg) }

func (l *list[R]) Bindings() []widget.Binding { return append(l.keys(), l.table.Bindings()...) }

// take is the key that takes the row at hand, unless there is a reason not to.
func (l *list[R]) take(label, about string, why func(R) string, do func(R) tea.Cmd) widget.Binding {
	row, ok := l.table.Row()
	reason := "nothing matches"
	if ok {
		reason = why(row)
	}
	return widget.Open.Does(label, about, func() tea.Cmd { return do(row) }).Shown().Unless(reason)
}

func (l *list[R]) View(t *theme.Theme, maxW, maxH int) string {
	w, h := within(l.wide, maxW), maxH-frameH
	if l.below == nil {
		return box(t, l.title, l.table.Draw(t, w, max(h, 2), true), maxW, maxH)
	}
	lines := l.table.Draw(t, w, max(h-detailH, 2), true)
	tone, text := l.below()
	return box(t, l.title, append(lines, widget.Detail(t, tone, text, w, detailH)...), maxW, maxH)
}
