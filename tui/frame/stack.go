package frame

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/widget"
)

// open is a dialog on the stack.
type open struct {
	dialog dialog.Dialog
	// owned makes what the end of the dialog leads to that of whoever opened it; nil is
	// the frame itself.
	owned func(tea.Cmd) tea.Cmd
	// page is the one that was in front.
	page *kept
	// since is when it was first drawn.
	since time.Time
}

// open puts a dialog on top. One that is open already under the same title stays as
// it is: a key pressed twice asks once.
func (m *Model) open(d dialog.Dialog, owned func(tea.Cmd) tea.Cmd) {
	if d == nil || slices.ContainsFunc(m.dialogs, func(o *open) bool { return o.dialog.Title() == d.Title() && (o.owned == nil) == (owned == nil) }) {
		return
	}
	m.dialogs = append(m.dialogs, &open{dialog: d, owned: owned, page: m.history.front()})
}

// top is the dialog on top; nil for none.
func (m *Model) top() *open {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// keyOfDialog has a dialog take a key.
func (m *Model) keyOfDialog(o *open, msg tea.KeyPressMsg) tea.Cmd {
	if !m.settled(o) {
		return nil
	}
	typing, all := o.dialog.Typing(), o.dialog.Bindings()
	b, found := widget.Find(all, msg, typing)
	help := widget.Help.Does("keys", "the keys of this question", nil).In(everywhere)
	help.Do = func() tea.Cmd {
		m.open(dialog.Help(reachable(slices.Concat(all, []widget.Binding{help, m.stopping()}), typing)), nil)
		return nil
	}
	switch _, asks := widget.Find([]widget.Binding{help}, msg, typing); {
	case !found && asks:
		return help.Do()
	case !found || b.Why == "" && b.Do == nil:
		if !typing {
			return nil
		}
		return m.toDialog(o, msg)
	case b.Why != "":
		return m.say(Warn, "not available: "+b.Why)
	}
	return m.follow(o, b.Do())
}

// toDialog gives a dialog a message.
func (m *Model) toDialog(o *open, msg tea.Msg) tea.Cmd { return m.follow(o, o.dialog.Update(msg)) }

// follow goes on after a dialog did something: where it has ended it is taken away,
// and what its end leads to is done.
func (m *Model) follow(o *open, cmd tea.Cmd) tea.Cmd {
	cmd = ownDialog(o.dialog, cmd)
	then, ended := o.dialog.Ended()
	if !ended {
		return cmd
	}
	m.dialogs = slices.DeleteFunc(m.dialogs, func(other *open) bool { return other == o })
	if then == nil {
		return cmd
	}
	if o.page != nil {
		o.page.stale = true
	}
	next := then()
	if o.owned != nil {
		next = o.owned(next)
	}
	return tea.Batch(cmd, next)
}

// answerOfDialog gives a dialog that is still open the answer to its command.
func (m *Model) answerOfDialog(msg dialogMsg) tea.Cmd {
	for _, o := range m.dialogs {
		if o.dialog == msg.dialog {
			return m.toDialog(o, msg.msg)
		}
	}
	return nil
}

// settled tells whether a key may reach a dialog: one that must not be answered
// by accident has to be seen first.
func (m *Model) settled(o *open) bool {
	s, careful := o.dialog.(dialog.Settler)
	if !careful {
		return true
	}
	return !o.since.IsZero() && (!m.live || m.now().Sub(o.since) >= s.Settle())
}

// seen notes when a dialog was first drawn.
func (o *open) seen(at time.Time) {
	if o.since.IsZero() {
		o.since = at
	}
}
