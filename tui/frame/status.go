package frame

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// StatusLevel is how important a text in the status line is.
type StatusLevel int

// The levels of the status line.
const (
	Info StatusLevel = iota
	Good
	Warn
	Error
)

// levels are the word and the tone of each level. The word is there for people who do
// not see the colour.
var levels = [...]struct {
	word string
	tone prose.Tone
}{
	Info: {"note: ", prose.Note}, Good: {"done: ", prose.Good}, Warn: {"warning: ", prose.Warning},
	Error: {"error: ", prose.Bad},
}

// statusTime is how long an Info or a Good stays if no key is pressed.
const statusTime = 6 * time.Second

// status is the status line. The zero value is empty.
type status struct {
	level StatusLevel
	text  string
	// count is the number of the text, so that the timer of an earlier text does nothing.
	count int
}

// say shows a text in the status line. An error stays until a key is pressed: a note or a warning
// that comes before that is added to it.
func (m *Model) say(level StatusLevel, text string) tea.Cmd {
	if s := &m.status; s.level == Error && s.text != "" && (level == Info || level == Warn) {
		if !strings.Contains(s.text, text) {
			s.text += "; " + prose.Printable(text)
		}
		return nil
	}
	count := m.status.count + 1
	m.status = status{level: level, text: prose.Printable(text), count: count}
	if level == Warn || level == Error || !m.live {
		return nil
	}
	return after(statusTime, func(m *Model, _ owner) tea.Cmd { return m.expire(count) })
}

// expire clears the status line if it still has the text of that number.
func (m *Model) expire(count int) tea.Cmd {
	if count == m.status.count {
		m.status.clear()
	}
	return nil
}

func (s *status) clear() { s.text = "" }

// line is the text after the word of its level.
func (s *status) line() string { return levels[s.level].word + s.text }

// mostLines is the height of the longest text, which covers the end of the page.
const mostLines = 4

// view draws the status line in lines of w cells. A long text has several of them, the
// last of which is the status line itself, so that errors can be read to their end.
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
