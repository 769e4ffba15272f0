package frame

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

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

// levels are how they are drawn. The word stands before the text, so that the level is
// not told by colour alone.
var levels = [...]struct {
	word string
	tone prose.Tone
}{Info: {"note: ", prose.Note}, Good: {"done: ", prose.Good}, Warn: {"warning: ", prose.Warning}, Error: {"error: ", prose.Bad}}

// statusTime is how long a note stays when no key is pressed.
const statusTime = 6 * time.Second

// status is the status line. The zero value is empty.
type status struct {
	level StatusLevel
	text  string
	// count tells a timer of an earlier text from that of this one.
	count int
}

// say shows a text.
func (m *Model) say(level StatusLevel, text string) tea.Cmd {
	count := m.status.count + 1
	m.status = status{level: level, text: prose.Printable(text), count: count}
	if level == Warn || level == Error || !m.live {
		return nil
	}
	return after(statusTime, func(m *Model, _ owner) tea.Cmd { return m.said(count) })
}

// said takes a text away whose time has passed, where it is still there.
func (m *Model) said(count int) tea.Cmd {
	if count == m.status.count {
		m.status.clear()
	}
	return nil
}

func (s *status) clear() { s.text = "" }

// line is the text with what kind of text it is.
func (s *status) line() string { return levels[s.level].word + s.text }

// mostLines is how far a long text may reach up over the page, until the next key.
const mostLines = 4

// view draws the status line, which is the last of the lines. A text that is too
// long for one has the lines above it too, filled to w cells: an error is of use
// only where it can be read to its end.
func (s *status) view(t *theme.Theme, w int) []string {
	if s.text == "" {
		return []string{""}
	}
	lines := layout.Wrap(s.line(), w-2)
	if len(lines) > mostLines {
		rest := strings.Join(lines[mostLines-1:], " ")
		lines = append(lines[:mostLines-1], layout.Cut(rest, w-2))
	}
	for i, line := range lines {
		lines[i] = t.Of(levels[s.level].tone).Render(layout.Pad(" "+line, w))
	}
	return lines
}
