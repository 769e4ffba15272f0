package widget

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs/entry"
)

// Entries shows the entries of a log that grows: levels in colours, the lines about the running of each
// invocation as one heading, stacks with the files of the project. The cursor is on a line of an entry. Only
// what is in view is made and drawn, of any number of entries. The zero value is empty.
type Entries struct {
	// Source leads from the places in stacks to files of the project.
	Source entry.Source
	// Edit opens a file of the project at a line, and NoEditor is why it cannot; Copy sends a
	// text to the clipboard. Without them the keys are left out.
	Edit     func(name string, line int) tea.Cmd
	NoEditor string
	Copy     func(text string) tea.Cmd
	// Empty is what is said while there is no entry.
	Empty string

	log entry.Log
	// at is the line of the cursor, top the first one in view.
	at, top spot
	// jumped says that the cursor went to another place, which is shown with what follows it.
	jumped bool
	// away says that a person moved away from the end, so that new entries are not followed.
	away bool
	// all unfolds everything; turned has the entries and invocations that are the other way.
	all    bool
	turned map[any]bool
	search search
	// note answers the last key, such as that there is no further error.
	note string
	// w and h are the cells as they were last drawn, made the lines of entries.
	w, h int
	made map[int]madeLines
}

// spot is a line of an entry: the entry's number and the index of the line. row is the first
// row of the line in view, if the line is wrapped.
type spot struct{ n, line, row int }

// madeLines are the lines of an entry, and what they were made for.
type madeLines struct {
	lines  []entry.Line
	whole  bool
	newest int
}

// mostMade is how many entries keep their lines.
const mostMade = 300

// Add adds entries, which entry.Read has made, and follows them unless a person has moved
// away from the end.
func (l *Entries) Add(entries []entry.Entry) {
	from := l.log.End()
	l.log.Add(entries)
	l.search.add(&l.log, from)
	first := l.log.First()
	for _, s := range []*spot{&l.at, &l.top} {
		if s.n < first {
			*s = spot{n: first}
			l.settle(s)
		}
	}
	for key := range l.turned {
		if n, ok := key.(int); ok && n < first {
			delete(l.turned, key)
		}
	}
	if !l.away {
		l.toEnd()
	}
}

// Clear drops all entries.
func (l *Entries) Clear() {
	l.log, l.at, l.top, l.away, l.all, l.turned, l.made, l.note = entry.Log{}, spot{}, spot{}, false, false, nil, nil, ""
	l.search = search{}
}

// Len is how many entries were added, with those that were dropped.
func (l *Entries) Len() int { return l.log.End() }

// Following reports whether new entries are followed.
func (l *Entries) Following() bool { return !l.away }

// Typing reports whether a text is typed to search for.
func (l *Entries) Typing() bool { return l.search.typing }

// Searching reports whether something is searched for.
func (l *Entries) Searching() bool { return l.search.text != "" }

// isOn reports whether a key of turned is unfolded.
func (l *Entries) isOn(key any) bool { return l.turned[key] != l.all }

// shows reports whether an entry has lines of its own.
func (l *Entries) shows(n int) bool {
	e := l.log.At(n)
	return !e.Folded() || e.Kind != entry.Continued && l.isOn(e.Of)
}

// lines are the lines of an entry.
func (l *Entries) lines(n int) []entry.Line {
	e := l.log.At(n)
	whole, newest := l.isOn(n), n
	if e.Kind != entry.Written {
		whole = l.isOn(e.Of)
	}
	if e.Level == "" || e.Heading() && !e.Of.Ended {
		newest = l.log.End() // more may come
	}
	made, ok := l.made[n]
	if ok && made.whole == whole && (made.newest == newest || n < newest-1000) && !e.Heading() {
		return made.lines
	}
	lines := l.make(n, e, whole)
	if len(l.made) > mostMade || l.made == nil {
		l.made = make(map[int]madeLines)
	}
	l.made[n] = madeLines{lines, whole, newest}
	return lines
}

func (l *Entries) make(n int, e *entry.Entry, whole bool) []entry.Line {
	if e.Heading() {
		lines := []entry.Line{e.Of.Heading()}
		if whole {
			lines = append(lines, written(e)...)
		}
		return lines
	}
	if e.Kind != entry.Written {
		return written(e)
	}
	return entry.Body(e, l.log.More(n), l.Source, whole)
}

// written is a line about the running of an invocation, as it is in the log.
func written(e *entry.Entry) []entry.Line {
	return []entry.Line{{Parts: []entry.Part{{Tone: prose.Muted, Text: prose.PrintableStart(e.Text)}}}}
}

// line is the line of the cursor, and its entry; nil if there is none.
func (l *Entries) line() (*entry.Entry, entry.Line) {
	if l.log.End() == l.log.First() {
		return nil, entry.Line{}
	}
	lines := l.lines(l.at.n)
	return l.log.At(l.at.n), lines[min(l.at.line, len(lines)-1)]
}

// place is the file of the project that the line of the cursor names, else the one where the
// failure came up that its entry tells of.
func (l *Entries) place() (name string, line int, ok bool) {
	e, at := l.line()
	if e == nil {
		return "", 0, false
	}
	of := at.Place
	if of.File == "" {
		of = entry.Origin(l.lines(l.at.n))
	}
	name, ok = l.Source.Name(of)
	return name, of.Line, ok
}

// text is the entry of the cursor as it was written, for the clipboard.
func (l *Entries) text() string {
	e, _ := l.line()
	switch {
	case e == nil:
		return ""
	case e.Heading():
		return strings.TrimSpace(e.Of.Request + "  " + strings.TrimPrefix(e.Of.Heading().Text(), entry.Short(e.Of.Request)))
	}
	return strings.Join(append([]string{e.Text}, l.log.More(l.at.n)...), "\n")
}

// Position says where the cursor is, and what is not shown.
func (l *Entries) Position() string {
	first, end := l.log.First(), l.log.End()
	if end == first {
		return ""
	}
	n := l.at.n
	if l.next(n) < 0 {
		n = end - 1 // what follows is folded into the lines above
	}
	text := "line " + strconv.Itoa(n+1) + " of " + strconv.Itoa(end)
	if first > 0 {
		text += ", the first " + strconv.Itoa(first) + " dropped"
	}
	return text
}

// Note answers the last key or says what is searched; "" for nothing.
func (l *Entries) Note() string {
	if l.note != "" {
		return l.note
	}
	return l.search.state(l.at.n)
}

// day is the day of an entry with the time zone.
func (l *Entries) day(n int) string {
	return clock.DayInZone(l.log.At(n).Time)
}
