package widget

import (
	"fmt"
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/sandbox/logs/entry"
)

// search is a text that is searched for in a log.
type search struct {
	field  Field
	typing bool
	// text is what is searched for, in small letters. run counts the searches.
	text string
	run  int
	// looking says that a search runs; found are the numbers of the entries that have the
	// text.
	looking bool
	found   []int
	// first is the match that typing led to.
	first int
}

// foundMsg is the end of a search.
type foundMsg struct {
	of    *Entries
	run   int
	found []int
	end   int
}

// Update takes what is typed into the search, and the end of a search.
func (l *Entries) Update(msg tea.Msg) tea.Cmd {
	if done, ok := msg.(foundMsg); ok {
		if done.of == l && done.run == l.search.run {
			l.take(done)
		}
		return nil
	}
	if l.search.typing && l.search.field.Update(msg) {
		return l.look()
	}
	return nil
}

// look begins a search: a log may be long, so it runs next to the screen.
func (l *Entries) look() tea.Cmd {
	s := &l.search
	text := strings.ToLower(s.field.Value())
	if text == s.text {
		return nil
	}
	s.text, s.found, s.run = text, nil, s.run+1
	if s.looking = text != ""; !s.looking {
		return nil
	}
	entries, end := l.log.Kept()
	run := s.run
	return func() tea.Msg {
		done := foundMsg{of: l, run: run, end: end}
		for n, e := range entries {
			if has(e, text) {
				done.found = append(done.found, n)
			}
		}
		return done
	}
}

// has reports whether an entry has a text, which is in small letters.
func has(e *entry.Entry, text string) bool {
	return strings.Contains(strings.ToLower(e.Text), text) || strings.Contains(e.Request, text)
}

// take takes the end of a search, and goes to the first match from here on.
func (l *Entries) take(done foundMsg) {
	s := &l.search
	s.looking, s.found = false, done.found
	s.addFrom(&l.log, done.end)
	if len(s.found) == 0 {
		return
	}
	i := sort.SearchInts(s.found, l.at.n)
	if i == len(s.found) {
		i--
	}
	s.first = s.found[i]
	switch {
	case s.first < l.log.First():
	case s.typing:
		// Nothing is unfolded while a text is typed: the next letter may lead elsewhere.
		l.to(l.log.Shown(s.first))
		l.toMark()
	default:
		l.toFound(l.target(s.first))
	}
}

// add looks through entries that were added.
func (s *search) add(log *entry.Log, from int) {
	if s.text == "" || s.looking {
		return
	}
	if gone := sort.SearchInts(s.found, log.First()); gone > 0 {
		s.found = s.found[gone:]
	}
	s.addFrom(log, from)
}

func (s *search) addFrom(log *entry.Log, from int) {
	for n := max(from, log.First()); n < log.End(); n++ {
		if has(log.At(n), s.text) {
			s.found = append(s.found, n)
		}
	}
}

// marks are the parts of a line that are searched for.
func (s *search) marks(line string) []prose.Span {
	if s.text == "" {
		return nil
	}
	in := strings.ToLower(line)
	if len(in) != len(line) {
		in = line // small letters that are longer would move the marks
	}
	var marks []prose.Span
	for at := 0; ; {
		i := strings.Index(in[at:], s.text)
		if i < 0 {
			return marks
		}
		marks = append(marks, prose.Span{From: at + i, To: at + i + len(s.text)})
		at += i + len(s.text)
	}
}

// state says what is searched for and where the cursor is among the matches.
func (s *search) state(n int) string {
	switch {
	case s.text == "":
		return ""
	case s.looking:
		return "searching ..."
	case len(s.found) == 0:
		return "nothing has " + phrase.Quote(s.text)
	}
	i := sort.SearchInts(s.found, n+1)
	return fmt.Sprintf("match %d of %d", max(1, i), len(s.found))
}

// keepSearch ends the typing at the match that it led to.
func (l *Entries) keepSearch() {
	s := &l.search
	s.typing = false
	if s.text != "" && len(s.found) > 0 && s.first >= l.log.First() {
		l.toFound(l.target(s.first))
	}
}

// drop ends the search.
func (s *search) drop() { *s = search{run: s.run + 1} }
