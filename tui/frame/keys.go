package frame

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
)

// The keys that the frame has on every page. f1 is the help while typing too.
const (
	keyBack  = "esc"
	keyQuit  = "q"
	keyHelp  = "?"
	keyHelp2 = "f1"
	keyStop  = "ctrl+c"
	keyShell = "ctrl+z"
)

const (
	firstPage  = "this is the first page"
	fieldFocus = "a text field has the focus"
)

// key routes a key press: ctrl+c, then the dialog on top, then what the page
// declares, then the global keys, then the page.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if name == keyStop {
		return m.stop()
	}
	m.status.clear()
	if m.layout.TooSmall {
		return m.keyUnseen(name)
	}
	if top := len(m.dialogs) - 1; top >= 0 {
		if !m.settled(m.dialogs[top]) {
			return nil
		}
		return m.toDialog(m.dialogs[top], msg)
	}
	k := m.history.front()
	if k == nil {
		return m.global(name)
	}
	if k.page.Typing() && msg.Text != "" {
		return k.page.Update(msg)
	}
	if b, declared := declaredFor(k.page.Keys(), name); declared {
		if b.Disabled != "" {
			return m.say(Warn, "not available: "+b.Disabled)
		}
		return k.page.Update(msg)
	}
	if _, ok := declaredFor(m.globals(nil), name); ok {
		return m.global(name)
	}
	return k.page.Update(msg)
}

// keyUnseen is for a window in which nothing is drawn: only quitting works.
func (m *Model) keyUnseen(name string) tea.Cmd {
	k := m.history.front()
	if name != keyQuit || len(m.dialogs) > 0 || k != nil && k.page.Typing() {
		return nil
	}
	return m.askToQuit()
}

// global does what a key of the frame does.
func (m *Model) global(name string) tea.Cmd {
	switch name {
	case keyBack:
		return m.back()
	case keyQuit:
		return m.askToQuit()
	case keyHelp, keyHelp2:
		m.open(dialog.Help(m.bindings()), nil)
	case keyShell:
		return m.suspend()
	}
	return nil
}

// suspend gives the terminal to the shell that started the program.
func (m *Model) suspend() tea.Cmd {
	if !m.live || !canSuspend() {
		return m.say(Warn, "not available: no shell started this that could go on with it")
	}
	return tea.Suspend
}

// declaredFor is the binding of a key, an enabled one where there are several.
func declaredFor(bindings []Binding, key string) (Binding, bool) {
	var disabled *Binding
	for i, b := range bindings {
		if !b.Has(key) {
			continue
		}
		if b.Disabled == "" {
			return b, true
		}
		disabled = &bindings[i]
	}
	if disabled == nil {
		return Binding{}, false
	}
	return *disabled, true
}

// globals are the bindings of the frame, without the keys that a page has for
// itself.
func (m *Model) globals(page []Binding) []Binding {
	const group = "Everywhere"
	back, typing := "", ""
	if len(m.history.way) < 2 {
		back = firstPage
	}
	if k := m.history.front(); k != nil && k.page.Typing() {
		typing = fieldFocus
	}
	all := []Binding{
		{Keys: []string{keyBack}, Label: "back", Help: "back to the page before", Disabled: back, Group: group},
		{Keys: []string{keyHelp, keyHelp2}, Label: "help", Help: "all keys; f1 works while typing too", Group: group},
		{Keys: []string{keyQuit}, Label: "quit", Help: "quit; asks where something is not saved", Disabled: typing, Group: group},
		{Keys: []string{keyStop}, Label: "quit", Help: "quit from anywhere; twice quits without asking", Group: group},
		{Keys: []string{keyShell}, Label: "shell", Help: "stop here and go to the shell; fg comes back", Group: group},
	}
	var globals []Binding
	for _, b := range all {
		b.Keys = slices.DeleteFunc(b.Keys, func(key string) bool {
			_, taken := declaredFor(page, key)
			return taken && key != keyStop
		})
		if len(b.Keys) > 0 {
			globals = append(globals, b)
		}
	}
	return globals
}

// bindings are all keys of the page in front and of the frame.
func (m *Model) bindings() []Binding {
	k := m.history.front()
	if k == nil {
		return m.globals(nil)
	}
	page := k.page.Keys()
	return append(slices.Clone(page), m.globals(page)...)
}
