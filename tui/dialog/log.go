package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/prose"
	"gatewright/tui/layout"
	"gatewright/tui/theme"
)

// LogLines is the message that a Log of that ID shows: lines that came after the
// ones before, and in Note what is to be said of the log as a whole, in place of
// what was said before.
type LogLines struct {
	ID    string
	Lines []string
	Note  string
}

// mostLogged is how many lines a Log keeps.
const mostLogged = 5000

// log is a log that is read while it goes on.
type log struct {
	id, title, note string
	lines           []string
	// rows are the lines broken to a width.
	rows  []string
	width int
	// top is the first row in view, where the end is not followed; view is how many
	// rows are.
	top, view int
	away      bool
}

// Log shows lines as they come (LogLines) and follows their end; who scrolls up
// stays there until f or the end key. Esc and enter end it with Cancelled.
func Log(id, title string) Dialog {
	return &log{id: id, title: title, note: "reading ...", view: 1}
}

func (l *log) ID() string { return l.id }

func (l *log) Update(msg tea.Msg) (Action, tea.Cmd) {
	switch msg := msg.(type) {
	case LogLines:
		if msg.ID == l.id {
			l.take(msg)
		}
	case tea.KeyPressMsg:
		switch name := msg.String(); name {
		case "esc", "enter", "q":
			return Cancelled{}, nil
		default:
			l.move(name)
		}
	}
	return nil, nil
}

func (l *log) take(msg LogLines) {
	l.note = prose.Fit(msg.Note)
	for _, line := range msg.Lines {
		line = prose.Fit(line)
		l.lines = append(l.lines, line)
		if l.width > 0 {
			l.rows = append(l.rows, layout.Wrap(line, l.width)...)
		}
	}
	if more := len(l.lines) - mostLogged; more > 0 {
		before := len(l.rows)
		l.lines = append([]string(nil), l.lines[more:]...)
		l.wrap(l.width)
		// What a person looks at stays where it is.
		l.top = max(0, l.top-(before-len(l.rows)))
	}
}

// wrap breaks all lines to a width.
func (l *log) wrap(w int) {
	l.width, l.rows = w, nil
	if w <= 0 {
		return
	}
	for _, line := range l.lines {
		l.rows = append(l.rows, layout.Wrap(line, w)...)
	}
}

func (l *log) move(name string) {
	last := max(0, len(l.rows)-l.view)
	top := l.top
	if !l.away {
		top = last
	}
	switch name {
	case "up", "k":
		top--
	case "down", "j":
		top++
	case "pgup":
		top -= l.view
	case "pgdown", "space":
		top += l.view
	case "home", "g":
		top = 0
	case "end", "G", "f":
		top = last
	default:
		return
	}
	l.top = max(0, min(top, last))
	l.away = l.top < last
}

func (l *log) View(t *theme.Theme, maxW, maxH int) string {
	w, room := max(maxW-frameW, 1), max(maxH-frameH-1, 1)
	if w != l.width {
		l.wrap(w)
	}
	l.view = room
	last := max(0, len(l.rows)-room)
	if l.top = min(l.top, last); !l.away || l.top == last {
		l.top, l.away = last, false
	}
	end := min(l.top+room, len(l.rows))
	lines := make([]string, 0, room+1)
	for _, row := range l.rows[l.top:end] {
		lines = append(lines, t.Base.Render(row))
	}
	// The box keeps its size while lines come.
	for len(lines) < room {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return box(t, l.title, append(lines, t.Muted.Render(layout.Cut(l.state(end), w))), maxW, maxH)
}

// state says what is in view, and whether the end is followed.
func (l *log) state(end int) string {
	parts := []string{}
	switch {
	case l.away:
		parts = append(parts, spanOf(l.top+1, end, len(l.rows))+" lines, stopped here: f follows the end")
	case len(l.rows) > 0:
		parts = append(parts, spanOf(l.top+1, end, len(l.rows))+" lines, following the end")
	}
	if l.note != "" {
		parts = append(parts, l.note)
	}
	return strings.Join(parts, "; ")
}

func (l *log) Keys() []Binding {
	return []Binding{
		{Keys: []string{"esc"}, Label: "close", Help: "close the log", Footer: true},
		{Keys: []string{"up", "down"}, Label: "scroll", Help: "move in the log", Footer: true},
		{Keys: []string{"pgup", "pgdown"}, Label: "page", Help: "move in the log by what is in view", Footer: true},
		{Keys: []string{"f", "end"}, Label: "follow", Help: "go to the end and follow it", Footer: true},
	}
}
