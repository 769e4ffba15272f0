package dialog

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// text is a dialog with a text to read.
type text struct {
	base
	pager widget.Pager
	// closed is called when the dialog is closed; nil for nothing.
	closed func() tea.Cmd
}

// Text shows a scrolling text of any length.
func Text(title, body string) Dialog { return Lines(title, linesOf(body)) }

// Lines is Text for printable lines that have tones.
func Lines(title string, lines []prose.Line) Dialog {
	d := &text{base: base{title: title}}
	d.pager.Show(lines)
	return d
}

func (d *text) Bindings() []widget.Binding {
	leave := func() tea.Cmd { return d.end(d.closed) }
	return append([]widget.Binding{
		widget.Back.Does("close", "close the text", leave).Shown(),
		widget.Open.Does("close", "close the text", leave),
		widget.Leave.Does("close", "close the text", leave),
	}, d.pager.Bindings()...)
}

func (d *text) View(t *theme.Theme, maxW, maxH int) string {
	return box(t, d.title, d.pager.Draw(t, within(textWidth, maxW), max(maxH-frameH, 1)), maxW, maxH)
}
