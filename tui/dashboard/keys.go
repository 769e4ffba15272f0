package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// tabKeys are the keys that choose a tab by its number.
var tabKeys = []string{"1", "2", "3", "4", "5", "6", "7", "8"}

// Keys are the page's keys as they are now.
func (p *Page) Keys() []frame.Binding {
	if p.typing {
		return []frame.Binding{
			{Keys: []string{"enter"}, Label: "keep", Help: "keep the filter and go back to the rows", Footer: true, Group: "filter"},
			{Keys: []string{"esc"}, Label: "drop", Help: "take the filter away", Footer: true, Group: "filter"},
			{Keys: []string{"up", "down"}, Label: "move", Help: "move in the rows that are left", Footer: true, Group: "filter"},
		}
	}
	reading, one := "", ""
	row := none
	switch {
	case p.snap == nil:
		reading = "the project is not read yet"
	default:
		row = p.list().row()
		if len(p.snap.environments) < 2 {
			one = "there is no other environment"
		}
	}
	keys := []frame.Binding{
		{Keys: []string{"tab"}, Label: "next tab", Help: "go to the next tab", Footer: true, Group: "tabs"},
		{Keys: []string{"ctrl+p"}, Label: "actions", Help: "find whatever can be done here by its name", Footer: true, Disabled: reading, Group: "tabs"},
		{Keys: []string{"shift+tab"}, Label: "tab before", Help: "go to the tab before", Group: "tabs"},
		{Keys: tabKeys[:min(len(p.tabs), len(tabKeys))], Label: "tab", Help: "go to the tab of that number", Group: "tabs"},
	}
	keys = append(keys, p.rowKeys(reading, row)...)
	keys = append(keys,
		frame.Binding{Keys: []string{"/"}, Label: "filter", Help: "leave the rows that have every word that is typed", Footer: true, Disabled: reading, Group: "filter"},
		p.sortingKey(reading),
		frame.Binding{Keys: []string{"e"}, Label: "environment", Help: "look at another environment; nothing is chosen on this machine by it", Footer: one == "", Disabled: cmp.Or(reading, one), Group: "environment"},
		frame.Binding{Keys: []string{"right"}, Label: "next", Help: "look at the next environment", Disabled: cmp.Or(reading, one), Group: "environment"},
		frame.Binding{Keys: []string{"left"}, Label: "before", Help: "look at the environment before", Disabled: cmp.Or(reading, one), Group: "environment"},
		p.undoing(),
		frame.Binding{Keys: []string{"r"}, Label: "read again", Help: "read the files again; this happens by itself when one changes", Group: "files"},
		p.mouseKey(),
	)
	keys = append(keys, moving...)
	if p.working != nil || p.ownLive() != nil {
		keys = append(keys, frame.Binding{Keys: []string{"q"}, Label: "quit", Help: "quit; asks first, since what runs here ends with it", Group: "files"})
	}
	switch {
	case p.working != nil:
		keys = append([]frame.Binding{
			{Keys: []string{"esc"}, Label: "stop", Help: "stop " + p.working.title, Footer: true, Group: "files"},
		}, keys...)
	case p.list().filter.Value() != "":
		keys = append(keys, frame.Binding{Keys: []string{"esc"}, Label: "drop filter", Help: "take the filter away", Footer: true, Group: "filter"})
	}
	return keys
}

var moving = []frame.Binding{
	{Keys: []string{"down", "j"}, Label: "down", Help: "move down", Group: "move"},
	{Keys: []string{"up", "k"}, Label: "up", Help: "move up", Group: "move"},
	{Keys: []string{"pgdown", "ctrl+d"}, Label: "page down", Help: "move a page down", Group: "move"},
	{Keys: []string{"pgup", "ctrl+u"}, Label: "page up", Help: "move a page up", Group: "move"},
	{Keys: []string{"g", "home"}, Label: "top", Help: "move to the first row", Group: "move"},
	{Keys: []string{"G", "end"}, Label: "end", Help: "move to the last row", Group: "move"},
}

// rowKeys are the keys of what is done to the row at hand.
func (p *Page) rowKeys(reading string, row int) []frame.Binding {
	open := p.tabs[p.at].opening(row)
	open.Keys, open.Group = []string{"enter", "space"}, "row"
	open.Disabled = cmp.Or(reading, open.Disabled)
	if row == none {
		open.Disabled = cmp.Or(open.Disabled, "there is no row")
	}
	open.Footer = open.Disabled == ""
	keys := []frame.Binding{open}
	for _, a := range p.actions(p.at) {
		keys = append(keys, a.binding)
	}
	nothing := ""
	if row == none || p.tabs[p.at].copied(row) == "" {
		nothing = "there is nothing to copy"
	}
	return append(keys, frame.Binding{Keys: []string{"y"}, Label: "copy", Help: "send the endpoint or the row to the terminal's clipboard", Disabled: cmp.Or(reading, nothing), Group: "row"})
}

// key takes a key press.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	if p.typing {
		return p.typeKey(msg)
	}
	if p.move(msg.String()) {
		return nil
	}
	switch name := msg.String(); name {
	case "tab":
		p.toTab(p.at + 1)
	case "shift+tab":
		p.toTab(p.at - 1)
	case "/":
		p.typing = true
	case "esc":
		return p.escape()
	case "r":
		return p.load()
	case "m":
		return p.toggleMouse()
	case "q":
		return p.askToQuit()
	case "enter", "space":
		return p.open()
	default:
		if n := int(name[0] - '1'); len(name) == 1 && n >= 0 && n < len(p.tabs) {
			p.toTab(n)
			return nil
		}
		if p.snap != nil {
			return p.readKey(name)
		}
	}
	return nil
}

// readKey takes the keys that need a project that was read.
func (p *Page) readKey(name string) tea.Cmd {
	switch name {
	case "left":
		return p.step(-1)
	case "right":
		return p.step(1)
	case "e":
		return p.chooseEnvironment()
	case "y":
		return p.copy()
	case "o":
		return p.sortNext()
	case "u":
		return p.undo()
	case "ctrl+p":
		return frame.Open(p.palette())
	}
	return p.act(p.at, name)
}

// move moves the cursor; false for another key.
func (p *Page) move(name string) bool {
	l := p.list()
	switch name {
	case "down", "j":
		l.move(1)
	case "up", "k":
		l.move(-1)
	case "pgdown", "ctrl+d":
		l.move(l.rows)
	case "pgup", "ctrl+u":
		l.move(-l.rows)
	case "g", "home":
		l.at = 0
	case "G", "end":
		l.move(len(l.shown))
	default:
		return false
	}
	return true
}

// escape stops what runs, else takes the filter away.
func (p *Page) escape() tea.Cmd {
	if p.working != nil {
		p.stopWork()
		return nil
	}
	p.list().clear()
	return nil
}

// typeKey takes a key while the filter has the focus.
func (p *Page) typeKey(msg tea.KeyPressMsg) tea.Cmd {
	l := p.list()
	switch name := msg.String(); name {
	case "enter":
		p.typing = false
	case "esc":
		p.typing = false
		l.clear()
	case "up", "down", "pgup", "pgdown":
		p.move(name)
	default:
		l.typed(msg)
	}
	return nil
}

// pressed takes a key, and tells the tab where the cursor is then.
func (p *Page) pressed(msg tea.KeyPressMsg) tea.Cmd {
	p.drawn.stale = true
	return tea.Batch(p.key(msg), p.reach())
}

// reach tells the tab in front which row the cursor is on.
func (p *Page) reach() tea.Cmd {
	if r, ok := p.tabs[p.at].(reaching); ok && p.snap != nil {
		return r.reached(p.list().row())
	}
	return nil
}

func (p *Page) toTab(at int) { p.at = (at + len(p.tabs)) % len(p.tabs) }

// open does what enter does on the row at hand, and keeps the cursor on it.
func (p *Page) open() tea.Cmd {
	l := p.list()
	row := l.row()
	if p.snap == nil || row == none {
		return nil
	}
	row, cmd := p.tabs[p.at].open(row)
	l.set(p.tabs[p.at].entries())
	l.toRow(row)
	return cmd
}

// copy sends the row at hand to the terminal, which may or may not have a
// clipboard: it does not answer.
func (p *Page) copy() tea.Cmd {
	row := p.list().row()
	if row == none {
		return nil
	}
	text := p.tabs[p.at].copied(row)
	return tea.Batch(tea.SetClipboard(text), frame.Say(frame.Info, "%s", fmt.Sprintf("sent to the clipboard: %s", text)))
}

// concluded takes what a dialog ended with: one of the page's own, or of the tab
// whose name its ID begins with.
func (p *Page) concluded(result dialog.Result) tea.Cmd {
	p.drawn.stale = true
	switch result.ID {
	case environmentDialog:
		if picked, ok := result.Action.(dialog.Picked); ok {
			return p.switchTo(string(picked))
		}
		return nil
	case proposalDialog:
		return p.answerProposal(result.Action)
	case draftDialog:
		return p.answerDraft(result.Action)
	case quitDialog:
		if result.Action == dialog.Pressed("quit") {
			return frame.Quit()
		}
		return nil
	case paletteDialog:
		if picked, ok := result.Action.(dialog.Picked); ok {
			return p.picked(string(picked))
		}
		return nil
	}
	name, _, _ := strings.Cut(result.ID, "/")
	at := p.place(name)
	if at == none {
		return nil
	}
	if h, ok := p.tabs[at].(handling); ok {
		cmd, _ := h.handle(result)
		return tea.Batch(cmd, p.again(at))
	}
	return nil
}
