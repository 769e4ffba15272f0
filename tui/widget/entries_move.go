package widget

import (
	"sort"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox/logs/entry"
)

// next is the next entry that is shown after n, prior the one before it; -1 for none.
func (l *Entries) next(n int) int {
	for n++; n < l.log.End(); n++ {
		if l.shows(n) {
			return n
		}
	}
	return -1
}

func (l *Entries) prior(n int) int {
	for n--; n >= l.log.First(); n-- {
		if l.shows(n) {
			return n
		}
	}
	return -1
}

// settle moves a spot to a line that is shown.
func (l *Entries) settle(s *spot) {
	if l.log.End() == l.log.First() {
		*s = spot{}
		return
	}
	s.n = max(l.log.First(), min(s.n, l.log.End()-1))
	if !l.shows(s.n) {
		n := l.prior(s.n)
		if n < 0 {
			n = max(l.next(s.n), l.log.First())
		}
		*s = spot{n: n}
	}
	if last := len(l.lines(s.n)) - 1; s.line > last {
		s.line, s.row = max(0, last), 0
	}
}

// step moves a spot by one line; false at the end.
func (l *Entries) step(s *spot, down bool) bool {
	if down {
		if s.line+1 < len(l.lines(s.n)) {
			*s = spot{n: s.n, line: s.line + 1}
			return true
		}
		n := l.next(s.n)
		if n < 0 {
			return false
		}
		*s = spot{n: n}
		return true
	}
	if s.line > 0 {
		*s = spot{n: s.n, line: s.line - 1}
		return true
	}
	n := l.prior(s.n)
	if n < 0 {
		return false
	}
	*s = spot{n: n, line: len(l.lines(n)) - 1}
	return true
}

// Move moves the cursor by a number of lines.
func (l *Entries) Move(by int) {
	l.note = ""
	if l.Len() == l.log.First() {
		return
	}
	l.settle(&l.at)
	for ; by > 0 && l.step(&l.at, true); by-- {
	}
	for ; by < 0 && l.step(&l.at, false); by++ {
	}
	end := l.at
	l.away = l.step(&end, true)
}

// toEnd moves the cursor to the last line, and follows.
func (l *Entries) toEnd() {
	l.away = false
	l.at = spot{n: l.log.End() - 1}
	l.settle(&l.at)
	if l.log.End() > l.log.First() {
		l.at.line = len(l.lines(l.at.n)) - 1
	}
}

// toStart moves the cursor to the first line.
func (l *Entries) toStart() {
	l.at, l.away = spot{n: l.log.First()}, true
	if l.log.End() > l.log.First() && !l.shows(l.at.n) {
		l.at.n = max(l.next(l.at.n), l.log.First())
	}
	l.settle(&l.at)
}

// to moves the cursor to an entry.
func (l *Entries) to(n int) {
	l.at, l.away, l.jumped = spot{n: n}, true, true
	l.settle(&l.at)
}

// toError moves the cursor to the next entry that tells of a failure, or the previous one.
func (l *Entries) toError(by int) {
	l.note = ""
	for n := l.at.n + by; n >= l.log.First() && n < l.log.End(); n += by {
		if l.log.At(n).Fails() {
			l.to(n)
			return
		}
	}
	l.note = "no error after this line"
	if by < 0 {
		l.note = "no error before this line"
	}
}

// turn unfolds what the cursor is on, or folds it again.
func (l *Entries) turn() {
	e, _ := l.line()
	if e == nil {
		return
	}
	var key any = l.at.n
	if e.Of != nil && e.Kind != entry.Written {
		key = e.Of
	}
	l.put(key)
	l.at.line = 0
	l.settle(&l.at)
}

// put turns an entry or an invocation the other way.
func (l *Entries) put(key any) {
	if l.turned == nil {
		l.turned = make(map[any]bool)
	}
	l.turned[key] = !l.turned[key]
}

// turnAll unfolds everything, or folds it.
func (l *Entries) turnAll() {
	l.all, l.turned, l.made = !l.all, nil, nil
	l.at.line = 0
	l.settle(&l.at)
}

// Wheel moves the cursor by a few lines.
func (l *Entries) Wheel(msg tea.MouseWheelMsg) { l.Move(WheelSteps(msg)) }

// toMatch moves the cursor to the next entry that has the searched text, or the previous one.
func (l *Entries) toMatch(by int) {
	l.note = ""
	found := l.search.found
	i := sort.SearchInts(found, l.at.n)
	if by < 0 {
		i--
	}
	for ; i >= 0 && i < len(found) && found[i] >= l.log.First(); i += by {
		if n := l.target(found[i]); n != l.at.n {
			l.toFound(n)
			return
		}
	}
	if len(found) > 0 {
		l.note = "no match after this line"
		if by < 0 {
			l.note = "no match before this line"
		}
	}
}

// target is the entry to go to for a match: the one that a line continues, else itself.
func (l *Entries) target(n int) int {
	if l.log.At(n).Kind == entry.Continued {
		return l.log.Shown(n)
	}
	return n
}

// toFound moves the cursor to the line of an entry that has the searched text. What is shown
// is unfolded if it does not have the text.
func (l *Entries) toFound(n int) {
	if e := l.log.At(n); !l.shows(n) && e.Of != nil {
		l.put(e.Of)
	}
	l.to(n)
	if !l.toMark() {
		l.turn()
		l.toMark()
	}
}

// toMark moves the cursor to the first line of its entry that has the searched text.
func (l *Entries) toMark() bool {
	for i, line := range l.lines(l.at.n) {
		if len(l.search.marks(line.Text())) > 0 {
			l.at.line = i
			return true
		}
	}
	return false
}
