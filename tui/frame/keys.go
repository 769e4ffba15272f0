package frame

import (
	"slices"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/keys"
)

const firstPage = "this is the first page; ctrl+c quits"

// key routes a key press: to quitting, else to the dialog on top, else to the bindings
// of the page and of the frame.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if _, stops := keys.Find([]keys.Binding{m.quitBinding()}, msg, false); stops {
		return m.stop()
	}
	m.status.clear()
	pressed := press{msg.String(), m.now()}
	m.context.Pressed = pressed.name
	defer func() { m.pressed = pressed }()
	if m.layout.TooSmall {
		return m.keyTooSmall(msg)
	}
	if o := m.top(); o != nil {
		return m.dialogKey(o, msg)
	}
	p, typing := m.history.front(), m.typing()
	b, found := keys.Find(m.bindings(), msg, typing)
	switch {
	case m.asleep() && b.Yes:
		return nil
	case found && (b.Do != nil || b.Disabled != ""):
		return m.do(p, b)
	case typing:
		return m.deliver(p, msg)
	case !found:
		return m.sayUnbound(msg.String())
	}
	return nil
}

// sayUnbound says that a key which has a meaning does nothing on this page.
func (m *Model) sayUnbound(key string) tea.Cmd {
	of, ok := keys.Named(key)
	if !ok {
		return nil
	}
	return m.say(Info, keys.Name(key)+" ("+of.Words+") does nothing here; ? shows the keys that do")
}

// typing reports whether a text field of the page in front takes all characters.
func (m *Model) typing() bool {
	p := m.history.front()
	return p != nil && p.page.Typing()
}

// do runs the action of a binding, or says why it is disabled.
func (m *Model) do(p *pageState, b keys.Binding) tea.Cmd {
	switch {
	case b.Disabled != "":
		return m.say(Warn, "not available: "+b.Disabled)
	case b.Do == nil:
		return nil
	case p == nil:
		return b.Do()
	}
	p.stale = true
	return forPage(p, b.Do())
}

// keyTooSmall takes a key while the window is too small for a page: only quitting works.
func (m *Model) keyTooSmall(msg tea.KeyPressMsg) tea.Cmd {
	leave := keys.Leave.Does("", "", nil)
	if !leave.Has(msg.String()) || len(m.dialogs) > 0 || m.typing() {
		return nil
	}
	return m.askToQuit()
}

// quitBinding is ctrl+c, which quits from anywhere.
func (m *Model) quitBinding() keys.Binding {
	return keys.Stop.Does("quit", "quit from anywhere; twice quits without asking", m.stop).In(everywhere)
}

const everywhere = "everywhere"

// globals are the bindings that the frame has on every page.
func (m *Model) globals() []keys.Binding {
	back, leave := "", "go back to the previous page"
	if len(m.history.trail) < 2 {
		back, leave = firstPage, "quit; asks first if work would be lost"
	}
	look := keys.LookAs.Does("view as ...", "view all pages as somebody: guests, signed-in users, a group, a user",
		m.look).ShownIf(m.context.Viewer != nil && !m.typing())
	mouse, about := "mouse on", "use the mouse: the wheel and clicks move; hold shift to select text meanwhile"
	if m.mouse {
		mouse, about = "mouse off", "give the mouse back to the terminal"
	}
	all := []keys.Binding{
		keys.Back.Does("back", "go back to the previous page", m.back).Unless(back),
		keys.Help.Does("keys", "show all keys; f1 works while typing too", m.openHelp),
		keys.Palette.Does("palette", "find an action or a thing by its name", m.openPalette),
		keys.Leave.Does("leave", leave, m.leavePage),
		keys.Mouse.Does(mouse, about, keys.NoCmd(func() { m.mouse = !m.mouse })),
		m.quitBinding(),
		keys.Action("suspend", "go to the shell; fg comes back",
			func() tea.Cmd { return tea.Suspend }).Unless(m.whyNoSuspend()),
	}
	if m.look != nil {
		all = slices.Insert(all, len(all)-1, look)
	}
	return keys.InGroup(everywhere, all)
}

// bindings are those of the page in front and of the frame. While a job runs, esc stops
// it before it does anything else.
func (m *Model) bindings() []keys.Binding {
	var all []keys.Binding
	if r := m.history.front().running(); r != nil {
		all = append(all, keys.Back.Does(r.label, r.label+" "+r.title, keys.NoCmd(r.cancel)).Shown().In(everywhere))
	}
	if p := m.history.front(); p != nil {
		all = append(all, m.asking(p.page.Bindings())...)
	}
	return append(all, m.globals()...)
}

// reachable are the bindings that a key press can reach, each with only the keys that
// it wins. While a text field has the focus, no character reaches a binding.
func reachable(all []keys.Binding, typing bool) []keys.Binding {
	var reached []keys.Binding
	for i, b := range all {
		if len(b.Keys()) > 0 {
			list := slices.DeleteFunc(slices.Clone(b.Keys()),
				func(name string) bool { return keys.Winner(all, name, false) != i })
			if len(list) == 0 {
				continue
			}
			if typing && !b.OverText {
				if free := slices.DeleteFunc(slices.Clone(list), isCharacter); len(free) > 0 {
					list = free
				} else {
					b = b.Unless("a text field has the focus")
				}
			}
			if b.Keys()[0] != list[0] {
				b.SetHelp(keys.Name(list[0]), b.Label())
			}
			b.SetKeys(list...)
		}
		reached = append(reached, b)
	}
	return reached
}

// isCharacter reports whether a key types a character.
func isCharacter(name string) bool { return utf8.RuneCountInString(name) == 1 || name == "space" }

// leavePage goes back to the previous page, and on the first page quits.
func (m *Model) leavePage() tea.Cmd {
	if len(m.history.trail) > 1 {
		return m.back()
	}
	return m.askToQuit()
}

func (m *Model) openHelp() tea.Cmd {
	return m.open(dialog.Help(reachable(m.bindings(), m.typing())), nil)
}

const paletteTitle = "What do you want to do?"

// openPalette lists the page's bindings, then its Commands if it is a Commander, then
// the frame's bindings, and after these the things of the Finder.
func (m *Model) openPalette() tea.Cmd {
	p := m.history.front()
	all := slices.DeleteFunc(reachable(m.bindings(), false),
		func(b keys.Binding) bool { return b.Do == nil || b.Group == "move" })
	if p != nil {
		if c, ok := p.page.(Commander); ok {
			frames := func(b keys.Binding) bool { return b.Group == everywhere }
			all = slices.Concat(
				slices.DeleteFunc(slices.Clone(all), frames), c.Commands(),
				slices.DeleteFunc(all, func(b keys.Binding) bool { return !frames(b) }))
		}
	}
	for i, b := range all {
		all[i].Do = func() tea.Cmd { return m.do(p, b) }
	}
	if m.finder == nil {
		return m.open(dialog.Palette(paletteTitle, all, nil, nil), nil)
	}
	return m.open(dialog.Palette(paletteTitle, all, m.finder.Things(), func(thing dialog.Thing) tea.Cmd {
		return m.do(p, keys.Action("", "", func() tea.Cmd { return m.finder.GoTo(thing) }))
	}), nil)
}

// whyNoSuspend is why the program cannot be suspended; "" if it can.
func (m *Model) whyNoSuspend() string {
	if !m.live || !canSuspend() {
		return "no shell with job control started gatewright"
	}
	return ""
}

// mouseTaken is shown in the otherwise empty status line while gatewright has the mouse:
// the terminal then selects text only while shift is held.
const mouseTaken = " the mouse works here until m is pressed: hold shift to select text"

// mouseEvent gives clicks and the wheel to the page in front, with coordinates relative
// to the page's area. While a dialog is open, mouse events are ignored.
func (m *Model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	p, area := m.history.front(), m.layout.Body()
	at := msg.Mouse()
	if p == nil || len(m.dialogs) > 0 || m.layout.TooSmall || !area.Contains(at.X, at.Y) {
		return nil
	}
	at.X, at.Y = at.X-area.X, at.Y-area.Y
	switch msg.(type) {
	case tea.MouseClickMsg:
		return m.deliver(p, tea.MouseClickMsg(at))
	case tea.MouseWheelMsg:
		return m.deliver(p, tea.MouseWheelMsg(at))
	}
	return nil
}
