package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs/entry"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
	"gatewright/tui/widget"
)

// Log shows the log of a function while it grows.
type Log struct {
	base
	// Entries is the log itself; its opener sets what its keys need.
	Entries widget.Entries
	note    string
	// closed is called when the dialog is closed; nil for nothing.
	closed func() tea.Cmd
}

// NewLog makes a log without entries; closed is called when it is closed.
func NewLog(title string, closed func() tea.Cmd) *Log {
	return &Log{base: base{title: title}, Entries: widget.Entries{Empty: "reading ..."}, closed: closed}
}

// Append adds entries, and replaces the note, which is shown below them. empty is shown while
// the log has no entry.
func (l *Log) Append(entries []entry.Entry, note, empty string) {
	l.note, l.Entries.Empty = prose.Printable(note), prose.Printable(empty)
	l.Entries.Add(entries)
}

// Typing reports whether a text is typed to search for.
func (l *Log) Typing() bool { return l.Entries.Typing() }

// Update takes what is typed, and the end of a search.
func (l *Log) Update(msg tea.Msg) tea.Cmd { return l.Entries.Update(msg) }

// Bindings are those of the entries, and those that close the dialog.
func (l *Log) Bindings() []keys.Binding {
	leave := func() tea.Cmd { return l.end(l.closed) }
	all := l.Entries.Bindings()
	if l.Typing() {
		return all
	}
	// While something is searched for, esc ends the search first.
	end := []keys.Binding{
		keys.Back.Does("close", "close the log", leave).Shown(),
		keys.Leave.Does("close", "close the log", leave),
	}
	if l.Entries.Searching() {
		return append(all, end...)
	}
	return append(end, all...)
}

// View draws the log; the box does not grow with the entries.
func (l *Log) View(t *theme.Theme, maxW, maxH int) string {
	w, room := max(maxW-frameW, 1), max(maxH-frameH-1, 1)
	lines := l.Entries.Draw(t, w, room)
	for i, line := range lines {
		lines[i] = layout.Pad(line, w)
	}
	return box(t, l.title, append(lines, t.Muted.Render(layout.Cut(l.state(), w))), maxW, maxH)
}

// state is the line below the entries.
func (l *Log) state() string {
	var state []string
	for _, text := range []string{l.Entries.Note(), l.Entries.Position(), l.following(), l.note} {
		if text != "" {
			state = append(state, text)
		}
	}
	return strings.Join(state, "; ")
}

func (l *Log) following() string {
	switch {
	case l.Entries.Position() == "":
		return ""
	case l.Entries.Following():
		return "following"
	}
	return "f follows"
}
