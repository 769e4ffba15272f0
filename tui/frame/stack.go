package frame

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/keys"
)

// openDialog is a dialog on the stack.
type openDialog struct {
	dialog dialog.Dialog
	// opener owns the command that follows the dialog's end.
	opener owner
	// page is the page that was in front when the dialog was opened.
	page *pageState
	// key is the one that opened it; "" once it has taken a key.
	key string
}

// open puts a dialog on top, unless one with the same title is open: a key that is
// pressed twice asks once.
func (m *Model) open(d dialog.Dialog, from owner) tea.Cmd {
	if d != nil &&
		!slices.ContainsFunc(m.dialogs,
			func(o *openDialog) bool { return o.dialog.Title() == d.Title() && (o.opener == nil) == (from == nil) }) {
		m.dialogs = append(m.dialogs, &openDialog{dialog: d, opener: from, page: m.history.front(), key: m.pressed.name})
	}
	return nil
}

// Renew is Open instead of an open dialog with the same title; without one it opens nothing.
func Renew(d dialog.Dialog) tea.Cmd {
	return inFrame(func(m *Model, _ owner) tea.Cmd {
		for _, o := range m.dialogs {
			if o.dialog.Title() == d.Title() {
				o.dialog = dialog.Renewed(d, o.dialog) // another question, which sleeps first
			}
		}
		return nil
	})
}

// top is the dialog on top; nil if none is open.
func (m *Model) top() *openDialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// dialogKey gives a key to a dialog.
func (m *Model) dialogKey(o *openDialog, msg tea.KeyPressMsg) tea.Cmd {
	var all []keys.Binding
	typing := o.dialog.Typing()
	help := func() tea.Cmd { return m.open(dialog.Help(reachable(all, typing)), nil) }
	all = append(m.asking(m.dialogBindings(o.dialog)),
		keys.Help.Does("keys", "show the keys of this dialog", help).In(everywhere),
		m.quitBinding())
	b, found := keys.Find(all, msg, typing)
	switch {
	case m.drops(o, b, msg):
		return nil
	case found && b.Disabled != "":
		return m.say(Warn, "not available: "+b.Disabled)
	case found && b.Do != nil:
		return m.follow(o, b.Do())
	case typing:
		return m.toDialog(o, msg)
	}
	return nil
}

// toDialog gives a message to a dialog.
func (m *Model) toDialog(o *openDialog, msg tea.Msg) tea.Cmd {
	if then, ok := msg.(ThenMsg); ok {
		if o.page != nil {
			o.page.stale = true
		}
		return m.follow(o, then())
	}
	return m.follow(o, o.dialog.Update(msg))
}

// follow is called after a dialog took something: if it has ended, it is removed, and
// the action that its opener gave for that end is run.
func (m *Model) follow(o *openDialog, cmd tea.Cmd) tea.Cmd {
	cmd = forDialog(o, cmd)
	then, ended := o.dialog.Ended()
	if !ended {
		return cmd
	}
	m.dialogs = slices.DeleteFunc(m.dialogs, func(other *openDialog) bool { return other == o })
	if then == nil {
		return cmd
	}
	if o.page != nil {
		o.page.stale = true
	}
	return tea.Batch(cmd, o.opener.wrap(then()))
}
