package frame

import (
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/widget"
)

const firstPage = "this is the first page"

// key routes a key press: leaving the program, then the dialog on top, then the page
// and what the frame has on every page.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if _, stops := widget.Find([]widget.Binding{m.stopping()}, msg, false); stops {
		return m.stop()
	}
	m.status.clear()
	if m.layout.TooSmall {
		return m.keyUnseen(msg)
	}
	if o := m.top(); o != nil {
		return m.keyOfDialog(o, msg)
	}
	k, typing := m.history.front(), m.typing()
	b, found := widget.Find(m.bindings(), msg, typing)
	switch {
	case found && (b.Do != nil || b.Why != ""):
		return m.do(k, b)
	case typing:
		return m.deliver(k, msg)
	}
	return nil
}

// typing reports whether characters belong to a text field of the page in front.
func (m *Model) typing() bool {
	k := m.history.front()
	return k != nil && k.page.Typing()
}

// do does what a binding of the page in front does, or says why not.
func (m *Model) do(k *kept, b widget.Binding) tea.Cmd {
	switch {
	case b.Why != "":
		return m.say(Warn, "not available: "+b.Why)
	case b.Do == nil:
		return nil
	case k == nil:
		return b.Do()
	}
	k.stale = true
	return own(k, b.Do())
}

// keyUnseen is for a window in which nothing is drawn: only quitting works.
func (m *Model) keyUnseen(msg tea.KeyPressMsg) tea.Cmd {
	leave := widget.Leave.Does("", "", nil)
	if !leave.Has(msg.String()) || len(m.dialogs) > 0 || m.typing() {
		return nil
	}
	return m.askToQuit()
}

// stopping is the key that leaves from anywhere.
func (m *Model) stopping() widget.Binding {
	return widget.Stop.Does("quit", "quit from anywhere; twice quits without asking", m.stop).In(everywhere)
}

const everywhere = "everywhere"

// globals are the bindings of the frame, after those of the page in front.
func (m *Model) globals() []widget.Binding {
	back, leave := "", "back to the page before"
	if len(m.history.way) < 2 {
		back, leave = firstPage, "quit; asks where something would be lost"
	}
	mouse, about := "mouse on", "take the mouse: the wheel and clicks move; hold shift to select text meanwhile"
	if m.mouse {
		mouse, about = "mouse off", "give the mouse back to the terminal"
	}
	all := []widget.Binding{
		widget.Back.Does("back", "back to the page before", m.back).Unless(back),
		widget.Help.Does("keys", "all keys; f1 works while typing too", m.openHelp),
		widget.Palette.Does("palette", "find whatever can be done here by its name", m.openPalette),
		widget.Leave.Does("leave", leave, m.leavePage),
		widget.Mouse.Does(mouse, about, widget.Does(func() { m.mouse = !m.mouse })),
		m.stopping(),
		widget.Action("suspend", "stop here and go to the shell; fg comes back", func() tea.Cmd { return tea.Suspend }).Unless(m.noShell()),
	}
	return widget.InGroup(everywhere, all)
}

// bindings are all of the page in front and of the frame. What runs is stopped before
// the key has another meaning.
func (m *Model) bindings() []widget.Binding {
	var all []widget.Binding
	if r := m.history.front().runs(); r != nil {
		all = append(all, widget.Back.Does("stop", "stop "+r.title, widget.Does(r.cancel)).Shown().In(everywhere))
	}
	if k := m.history.front(); k != nil {
		all = append(all, k.page.Bindings()...)
	}
	return append(all, m.globals()...)
}

// reachable are the bindings as they can be pressed: each with the keys that come to
// it and to no other. While a text field has the focus characters come to none.
func reachable(all []widget.Binding, typing bool) []widget.Binding {
	var reached []widget.Binding
	for i, b := range all {
		if len(b.Keys()) > 0 {
			keys := slices.DeleteFunc(slices.Clone(b.Keys()), func(name string) bool { return widget.Winner(all, name, false) != i })
			if len(keys) == 0 {
				continue
			}
			if typing && !b.OverText {
				if free := slices.DeleteFunc(slices.Clone(keys), isCharacter); len(free) > 0 {
					keys = free
				} else {
					b = b.Unless("a text field has the focus")
				}
			}
			if b.Keys()[0] != keys[0] {
				b.SetHelp(widget.KeyName(keys[0]), b.Label())
			}
			b.SetKeys(keys...)
		}
		reached = append(reached, b)
	}
	return reached
}

// isCharacter tells whether a key writes something.
func isCharacter(name string) bool { return utf8.RuneCountInString(name) == 1 || name == "space" }

// leavePage goes back to the page before, and from the first one out.
func (m *Model) leavePage() tea.Cmd {
	if len(m.history.way) > 1 {
		return m.back()
	}
	return m.askToQuit()
}

func (m *Model) openHelp() tea.Cmd {
	return m.open(dialog.Help(reachable(m.bindings(), m.typing())), nil)
}

// openPalette lists all that can be done: the page's bindings, and with what else it has
// for the palette those, then the frame's.
func (m *Model) openPalette() tea.Cmd {
	k := m.history.front()
	all := slices.DeleteFunc(reachable(m.bindings(), false), func(b widget.Binding) bool { return b.Do == nil || b.Group == "move" })
	if k != nil {
		if c, ok := k.page.(Commander); ok {
			frames := func(b widget.Binding) bool { return b.Group == everywhere }
			all = slices.Concat(
				slices.DeleteFunc(slices.Clone(all), frames), c.Commands(),
				slices.DeleteFunc(all, func(b widget.Binding) bool { return !frames(b) }))
		}
	}
	for i, b := range all {
		all[i].Do = func() tea.Cmd { return m.do(k, b) }
	}
	return m.open(dialog.Palette("What is to be done?", all), nil)
}

// noShell is why the program cannot be suspended; "" where it can.
func (m *Model) noShell() string {
	if !m.live || !canSuspend() {
		return "no shell started this that could go on with it"
	}
	return ""
}
