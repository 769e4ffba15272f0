package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/keys"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// text is a dialog with a text to read.
type text struct {
	base
	pager widget.Pager
	// width is the greatest width of its lines.
	width int
	// closed is called when the dialog is closed; nil for nothing.
	closed func() tea.Cmd
}

// Text shows a scrolling text of any length.
func Text(title, body string) Dialog { return Lines(title, linesOf(body)) }

// Lines is Text for printable lines that have tones.
func Lines(title string, lines []prose.Line) Dialog {
	return lined(title, lines, textWidth)
}

// Wide is Lines for texts such as JSON and logs, which are read better in long lines.
func Wide(title string, lines []prose.Line) Dialog { return lined(title, lines, listWidth) }

// Drawn is Wide with lines that instead draws in its own way; it returns nil for all others.
func Drawn(title string, lines []prose.Line, instead func(*theme.Theme, prose.Line, int) []string) Dialog {
	d := lined(title, lines, listWidth)
	d.pager.Instead = instead
	return d
}

func lined(title string, lines []prose.Line, width int) *text {
	d := &text{base: base{title: title}, width: width}
	d.pager.Show(lines)
	return d
}

func (d *text) Bindings() []keys.Binding {
	leave := func() tea.Cmd { return d.end(d.closed) }
	return append([]keys.Binding{
		keys.Back.Does("close", "close the text", leave).Shown(),
		keys.Open.Does("close", "close the text", leave),
		keys.Leave.Does("close", "close the text", leave),
	}, d.pager.Bindings()...)
}

// Copied is the whole text.
func (d *text) Copied() string { return d.pager.Text() }

func (d *text) View(t *theme.Theme, maxW, maxH int) string {
	return box(t, d.title, d.pager.Draw(t, within(d.width, maxW), max(maxH-frameH, 1)), maxW, maxH)
}
