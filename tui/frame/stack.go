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
	// by is who opened it: what its end leads to is done for them.
	by owner
	// page is the one that was in front.
	page *kept
	// since is when it was first drawn.
	since time.Time
}

// open puts a dialog on top. One that is open already under the same title stays as
// it is: a key pressed twice asks once.
func (m *Model) open(d dialog.Dialog, by owner) tea.Cmd {
	if d != nil && !slices.ContainsFunc(m.dialogs, func(o *open) bool { return o.dialog.Title() == d.Title() && (o.by == nil) == (by == nil) }) {
		m.dialogs = append(m.dialogs, &open{dialog: d, by: by, page: m.history.front()})
	}
	return nil
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
	var all []widget.Binding
	typing := o.dialog.Typing()
	help := func() tea.Cmd { return m.open(dialog.Help(reachable(all, typing)), nil) }
	all = append(o.dialog.Bindings(), widget.Help.Does("keys", "the keys of this question", help).In(everywhere), m.stopping())
	b, found := widget.Find(all, msg, typing)
	switch {
	case found && b.Why != "":
		return m.say(Warn, "not available: "+b.Why)
	case found && b.Do != nil:
		return m.follow(o, b.Do())
	case typing:
		return m.toDialog(o, msg)
	}
	return nil
}

// toDialog gives a dialog a message.
func (m *Model) toDialog(o *open, msg tea.Msg) tea.Cmd { return m.follow(o, o.dialog.Update(msg)) }

// follow goes on after a dialog did something: where it has ended it is taken away,
// and what its end leads to is done.
func (m *Model) follow(o *open, cmd tea.Cmd) tea.Cmd {
	cmd = ownDialog(o, cmd)
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
	return tea.Batch(cmd, o.by.of(then()))
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
