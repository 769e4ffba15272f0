package frame

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// open puts a dialog on top. One that is open already under the same name and
// owner stays as it is: a key pressed twice asks once.
func (m *Model) open(d dialog.Dialog, owner *kept) {
	if d == nil || slices.ContainsFunc(m.dialogs, func(o open) bool { return o.owner == owner && o.dialog.ID() == d.ID() }) {
		return
	}
	m.opened++
	m.dialogs = append(m.dialogs, open{serial: m.opened, dialog: d, owner: owner})
}

// closeDialog takes the dialog on top away.
func (m *Model) closeDialog() {
	if n := len(m.dialogs); n > 0 {
		m.dialogs = m.dialogs[:n-1]
	}
}

// toDialog gives a dialog a message, and its result to its owner.
func (m *Model) toDialog(o open, msg tea.Msg) tea.Cmd {
	action, cmd := o.dialog.Update(msg)
	if action == nil {
		return cmd
	}
	m.dialogs = slices.DeleteFunc(m.dialogs, func(other open) bool { return other.serial == o.serial })
	result := dialog.Result{ID: o.dialog.ID(), Action: action}
	if o.owner == nil {
		return tea.Batch(cmd, m.answered(result))
	}
	return tea.Batch(cmd, o.owner.page.Update(result))
}

// settled tells whether a key may reach a dialog: one that must not be answered
// by accident has to be seen first.
func (m *Model) settled(o open) bool {
	s, careful := o.dialog.(dialog.Settler)
	if !careful {
		return true
	}
	return !o.since.IsZero() && (!m.live || m.now().Sub(o.since) >= s.Settle())
}

// seen notes that the dialog on top was drawn.
func (m *Model) seen(at time.Time) {
	if n := len(m.dialogs); n > 0 && m.dialogs[n-1].since.IsZero() {
		m.dialogs[n-1].since = at
	}
}
