package frame

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/tui/dialog"
	"gatewright/tui/keys"
)

// A question is answered by nobody who cannot have read it: a key that is held down, or typed
// ahead, would open something and say yes to it. So each question sleeps until it has been on the
// screen for a moment in which no key was pressed.

// wakeAfter is that moment. A key that is held down repeats more often.
const wakeAfter = 400 * time.Millisecond

// question is the question in front.
type question struct {
	// asks identifies it; nil for none.
	asks any
	// quiet is when it was drawn first, or when a key was pressed since.
	quiet time.Time
	// awake says that it may be answered, timed that a timer will look whether it may.
	awake, timed bool
}

// press is the last key that was pressed.
type press struct {
	name string
	at   time.Time
}

// asked is the question of the dialog on top, or of the page in front; nil for none.
func (m *Model) asked() dialog.Asker {
	var of any
	if o := m.top(); o != nil {
		of = o.dialog
	} else if p := m.history.front(); p != nil {
		of = p.page
	}
	if q, ok := of.(dialog.Asker); ok && q.Asks() != nil {
		return q
	}
	return nil
}

// drewQuestion remembers the question that was drawn. One that comes to the front again is
// another one.
func (m *Model) drewQuestion() {
	var asks any
	if q := m.asked(); q != nil {
		asks = q.Asks()
	}
	if asks != m.question.asks {
		m.question = question{asks: asks, quiet: m.now(), awake: !m.live, timed: m.question.timed}
	}
}

// sleeps reports whether the question in front may not be answered yet.
func (m *Model) sleeps() bool {
	q := m.asked()
	if q == nil {
		return false
	}
	if q.Asks() != m.question.asks {
		return true // it is not drawn yet
	}
	m.question.awake = m.question.awake || m.now().Sub(m.question.quiet) >= wakeAfter
	return !m.question.awake
}

// asleep is sleeps for a key or a paste, after which the question sleeps on.
func (m *Model) asleep() bool {
	if !m.sleeps() {
		return false
	}
	m.question.quiet = m.now()
	return true
}

// wakeQuestion draws the question in front again when it wakes. It is called after each message,
// and with again by the timer: there is one for all questions.
func (m *Model) wakeQuestion(again bool) tea.Cmd {
	if m.question.timed = m.question.timed && !again; m.question.timed || !m.live || !m.sleeps() {
		return nil
	}
	m.question.timed = true
	left := wakeAfter
	if m.asked().Asks() == m.question.asks {
		left -= m.now().Sub(m.question.quiet)
	}
	return after(left, func(m *Model, _ owner) tea.Cmd { return m.wakeQuestion(true) })
}

// takes reports whether the question in front takes a key while it sleeps: a dialog only the one
// that leaves it, a page all but its answers.
func (m *Model) takes(b keys.Binding) bool {
	return !b.Yes && (m.top() == nil || b.Has(keys.Back.Keys()[0]))
}

// drops reports whether a dialog must not take a key. One that is no question is not answered by
// the key that opened it, nor is what it asks on the way, while that key is held down.
func (m *Model) drops(o *openDialog, b keys.Binding, msg tea.KeyPressMsg) bool {
	if m.asked() != nil {
		return m.asleep() && !m.takes(b)
	}
	name := msg.String()
	held := m.live && name == m.pressed.name && m.now().Sub(m.pressed.at) < wakeAfter
	if held && b.Do != nil && (b.Yes || name == o.key) {
		return true
	}
	o.key = ""
	return false
}

// unseen is how many lines of the question in front, about what is opened, have not been on the
// screen yet.
func (m *Model) unseen() int {
	if q := m.asked(); q != nil {
		return q.Unseen()
	}
	return 0
}

func unseenLines(n int) string {
	return phrase.Count(n, "line") + " with ▲ still unseen: pgdn scrolls to them"
}

// asking has the bindings that answer the question in front wait until it is read: while it sleeps,
// those that it does not take have no label.
func (m *Model) asking(all []keys.Binding) []keys.Binding {
	unseen, sleeps := m.unseen(), m.sleeps()
	for i, b := range all {
		switch {
		case sleeps && !m.takes(b):
			all[i].SetHelp(b.Help().Key, "…")
		case b.Yes && unseen > 0:
			all[i] = b.Unless(unseenLines(unseen))
		}
	}
	return all
}
