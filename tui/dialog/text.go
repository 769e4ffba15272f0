package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
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

// Copied is the whole text.
func (d *text) Copied() string { return d.pager.Text() }

func (d *text) View(t *theme.Theme, maxW, maxH int) string {
	return box(t, d.title, d.pager.Draw(t, within(textWidth, maxW), max(maxH-frameH, 1)), maxW, maxH)
}

// Log shows a growing log. It follows the end unless a person scrolls away.
type Log struct {
	text
	note string
}

// NewLog makes a log without lines; closed is called when it is closed.
func NewLog(title string, closed func() tea.Cmd) *Log {
	l := &Log{text: text{base: base{title: title}, closed: closed}, note: "reading ..."}
	l.pager.Follows = true
	l.pager.Follow()
	return l
}

// Append adds lines, and replaces the note, which is shown below them.
func (l *Log) Append(lines []prose.Line, note string) {
	l.note = prose.Printable(note)
	l.pager.Append(lines...)
}

// View draws the log; the box does not grow with the lines.
func (l *Log) View(t *theme.Theme, maxW, maxH int) string {
	w, room := max(maxW-frameW, 1), max(maxH-frameH-1, 1)
	lines := l.pager.Draw(t, w, room)
	for len(lines) < room {
		lines = append(lines, strings.Repeat(" ", w))
	}
	var state []string
	switch {
	case l.pager.Following() && l.pager.Len() > 0:
		state = append(state, "following the end")
	case l.pager.Len() > 0:
		state = append(state, "not following: f follows the end")
	}
	if l.note != "" {
		state = append(state, l.note)
	}
	return box(t, l.title, append(lines, t.Muted.Render(layout.Cut(strings.Join(state, "; "), w))), maxW, maxH)
}
