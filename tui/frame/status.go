package frame

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// StatusLevel is how much a status line matters.
type StatusLevel int

// The levels of the status line.
const (
	Info StatusLevel = iota
	Good
	Warn
	Error
)

// word stands before the text, so that the level is not told by colour alone.
func (l StatusLevel) word() string {
	switch l {
	case Good:
		return "done: "
	case Warn:
		return "warning: "
	case Error:
		return "error: "
	default:
		return "note: "
	}
}

func (l StatusLevel) style(t *theme.Theme) lipgloss.Style {
	switch l {
	case Good:
		return t.Good
	case Warn:
		return t.Warning
	case Error:
		return t.Error
	default:
		return t.Note
	}
}

// statusTime is how long a note stays when no key is pressed.
const statusTime = 6 * time.Second

// status is the status line. The zero value is empty.
type status struct {
	level StatusLevel
	text  string
	// count tells a timer of an earlier text from that of this one.
	count int
}

// statusOverMsg says that the time of a text has passed.
type statusOverMsg struct{ count int }

// say shows a text.
func (m *Model) say(level StatusLevel, text string) tea.Cmd {
	count := m.status.count + 1
	m.status = status{level: level, text: prose.Fit(text), count: count}
	if level == Warn || level == Error || !m.live {
		return nil
	}
	return tea.Tick(statusTime, func(time.Time) tea.Msg { return statusOverMsg{count} })
}

func (s *status) clear() { s.text = "" }

// mostLines is how far a long text may reach up over the page, until the next key.
const mostLines = 4

// view draws the status line, which is the last of the lines. A text that is too
// long for one has the lines above it too, filled to w cells: an error is of use
// only where it can be read to its end.
func (s *status) view(t *theme.Theme, w int) []string {
	if s.text == "" {
		return []string{""}
	}
	lines := layout.Wrap(s.level.word()+s.text, w-2)
	if len(lines) > mostLines {
		rest := strings.Join(lines[mostLines-1:], " ")
		lines = append(lines[:mostLines-1], layout.Cut(rest, w-2))
	}
	for i, line := range lines {
		lines[i] = s.level.style(t).Render(layout.Pad(" "+line, w))
	}
	return lines
}
