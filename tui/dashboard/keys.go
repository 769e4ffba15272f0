package dashboard

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

const environmentDialog = "environment"

// The places of tabs that the page itself speaks of.
const (
	apisAt   = 0
	statusAt = 2
	clientAt = 3
)

func (p *Page) status() *statusTab { return p.tabs[statusAt].(*statusTab) }

// Keys are the page's keys as they are now.
func (p *Page) Keys() []frame.Binding {
	if p.typing {
		return []frame.Binding{
			{Keys: []string{"enter"}, Label: "keep", Help: "keep the filter and go back to the rows", Footer: true, Group: "filter"},
			{Keys: []string{"esc"}, Label: "drop", Help: "take the filter away", Footer: true, Group: "filter"},
			{Keys: []string{"up", "down"}, Label: "move", Help: "move in the rows that are left", Footer: true, Group: "filter"},
		}
	}
	reading, one, nothing := "", "", ""
	row := none
	switch {
	case p.snap == nil:
		reading = "the project is not read yet"
	default:
		row = p.list().row()
	}
	if p.snap != nil && len(p.snap.environments) < 2 {
		one = "there is no other environment"
	}
	if row == none || p.tabs[p.at].copied(row) == "" {
		nothing = "there is nothing to copy"
	}
	open := p.tabs[p.at].opening(row)
	open.Keys, open.Group = []string{"enter", "space"}, "row"
	open.Disabled = cmp.Or(reading, open.Disabled)
	if row == none {
		open.Disabled = cmp.Or(open.Disabled, "there is no row")
	}
	open.Footer = open.Disabled == ""
	keys := []frame.Binding{
		{Keys: []string{"tab"}, Label: "next tab", Help: "go to the next tab", Footer: true, Group: "tabs"},
		{Keys: []string{"shift+tab"}, Label: "tab before", Help: "go to the tab before", Group: "tabs"},
		{Keys: []string{"1", "2", "3", "4"}, Label: "tab", Help: "go to the tab of that number", Group: "tabs"},
		open,
		{Keys: []string{"e"}, Label: "environment", Help: "look at another environment; nothing is chosen on this machine by it", Footer: one == "", Disabled: cmp.Or(reading, one), Group: "environment"},
		{Keys: []string{"right"}, Label: "next", Help: "look at the next environment", Disabled: cmp.Or(reading, one), Group: "environment"},
		{Keys: []string{"left"}, Label: "before", Help: "look at the environment before", Disabled: cmp.Or(reading, one), Group: "environment"},
		{Keys: []string{"/"}, Label: "filter", Help: "leave the rows that have every word that is typed", Footer: true, Disabled: reading, Group: "filter"},
		{Keys: []string{"y"}, Label: "copy", Help: "send the endpoint or the row to the terminal's clipboard", Footer: nothing == "", Disabled: cmp.Or(reading, nothing), Group: "row"},
		{Keys: []string{"r"}, Label: "read again", Help: "read the files again; this happens by itself when one changes", Footer: true, Group: "files"},
		{Keys: []string{"down", "j"}, Label: "down", Help: "move down", Group: "move"},
		{Keys: []string{"up", "k"}, Label: "up", Help: "move up", Group: "move"},
		{Keys: []string{"pgdown", "ctrl+d"}, Label: "page down", Help: "move a page down", Group: "move"},
		{Keys: []string{"pgup", "ctrl+u"}, Label: "page up", Help: "move a page up", Group: "move"},
		{Keys: []string{"g", "home"}, Label: "top", Help: "move to the first row", Group: "move"},
		{Keys: []string{"G", "end"}, Label: "end", Help: "move to the last row", Group: "move"},
	}
	if p.list().filter.Value() != "" {
		keys = append(keys, frame.Binding{Keys: []string{"esc"}, Label: "drop filter", Help: "take the filter away", Footer: true, Group: "filter"})
	}
	return keys
}

// key takes a key press.
func (p *Page) key(msg tea.KeyPressMsg) tea.Cmd {
	l, name := p.list(), msg.String()
	if p.typing {
		return p.typeKey(msg)
	}
	switch name {
	case "tab":
		p.toTab(p.at + 1)
	case "shift+tab":
		p.toTab(p.at - 1)
	case "1", "2", "3", "4":
		p.toTab(int(name[0] - '1'))
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
	case "/":
		p.typing = true
	case "esc":
		l.clear()
	case "r":
		return p.load()
	case "left":
		return p.step(-1)
	case "right":
		return p.step(1)
	case "e":
		return p.chooseEnvironment()
	case "y":
		return p.copy()
	case "enter", "space":
		return p.open()
	}
	return nil
}

// typeKey takes a key while the filter has the focus.
func (p *Page) typeKey(msg tea.KeyPressMsg) tea.Cmd {
	l := p.list()
	switch msg.String() {
	case "enter":
		p.typing = false
	case "esc":
		p.typing = false
		l.clear()
	case "up":
		l.move(-1)
	case "down":
		l.move(1)
	case "pgup":
		l.move(-l.rows)
	case "pgdown":
		l.move(l.rows)
	default:
		l.typed(msg)
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

// step goes to the environment beside, and around at the ends.
func (p *Page) step(by int) tea.Cmd {
	all := p.snap.environments
	for i, e := range all {
		if e.Name == p.wanted() {
			return p.switchTo(all[(i+by+len(all))%len(all)].Name)
		}
	}
	return nil
}

// wanted is the environment that is shown, or that is being read.
func (p *Page) wanted() string {
	if p.env != "" {
		return p.env
	}
	return p.snap.name()
}

func (p *Page) chooseEnvironment() tea.Cmd {
	items := make([]dialog.Item, len(p.snap.environments))
	for i, e := range p.snap.environments {
		note := string(e.Provider) + ", " + e.pushed()
		if e.Guarded {
			note += ", guarded"
		}
		items[i] = dialog.Item{ID: e.Name, Label: e.Name, Note: note}
	}
	return frame.Open(dialog.Choose(environmentDialog, "Look at an environment", items))
}

// copy sends the row at hand to the terminal, which may or may not have a
// clipboard: it does not answer.
func (p *Page) copy() tea.Cmd {
	text := p.tabs[p.at].copied(p.list().row())
	return tea.Batch(tea.SetClipboard(text), frame.Say(frame.Info, "%s", fmt.Sprintf("sent to the clipboard: %s", text)))
}
