package dashboard

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/console"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// actions are what applies to the row at hand of a tab.
func (p *Page) actions(at int) []action {
	t, ok := p.tabs[at].(acting)
	if !ok || p.snap == nil {
		return nil
	}
	all := t.actions(p.lists[at].row())
	for i := range all {
		b := &all[i].binding
		b.Footer = b.Disabled == ""
		if b.Group == "" {
			b.Group = "row"
		}
	}
	return all
}

// act does what a key does to the row at hand of a tab.
func (p *Page) act(at int, key string) tea.Cmd {
	for _, a := range p.actions(at) {
		if !a.binding.Has(key) {
			continue
		}
		if why := a.binding.Disabled; why != "" {
			return frame.Say(frame.Warn, "not available: %s", why)
		}
		return tea.Batch(a.do(), p.again(at))
	}
	return nil
}

// sortingKey is the binding of the order of the rows.
func (p *Page) sortingKey(reading string) frame.Binding {
	b := frame.Binding{Keys: []string{"o"}, Label: "order", Help: "put the rows into another order", Disabled: reading, Group: "filter"}
	s, ok := p.tabs[p.at].(sorting)
	if !ok || len(s.sortings()) < 2 {
		b.Disabled = "the rows of this tab have one order"
		return b
	}
	names := s.sortings()
	b.Help = "order the rows by " + names[(p.orders[p.at]+1)%len(names)]
	return b
}

// sortNext puts the rows into the next order; the cursor stays on its row.
func (p *Page) sortNext() tea.Cmd {
	s, ok := p.tabs[p.at].(sorting)
	if !ok || len(s.sortings()) < 2 {
		return nil
	}
	p.orders[p.at] = (p.orders[p.at] + 1) % len(s.sortings())
	s.sortBy(p.orders[p.at])
	return tea.Batch(p.again(p.at), frame.Say(frame.Info, "ordered by %s", s.sortings()[p.orders[p.at]]))
}

// order is the name of the order of the rows where it is not the usual one.
func (p *Page) order() string {
	if s, ok := p.tabs[p.at].(sorting); ok && p.orders[p.at] > 0 {
		return "by " + s.sortings()[p.orders[p.at]]
	}
	return ""
}

const paletteDialog = "page/palette"

// routes are the pages that can be gone to from here.
func (p *Page) routes() []Link {
	return append([]Link{{"send requests in the console", console.Route{Environment: p.wanted()}}}, p.links...)
}

// palette is the dialog of all that can be done: what applies to the rows at hand
// of all tabs, what the page does, and where one can go.
func (p *Page) palette() dialog.Dialog {
	var all []dialog.Command
	add := func(where, id string, b frame.Binding) {
		all = append(all, dialog.Command{ID: id, Label: b.Label, Help: b.Help, Key: b.Keys[0], Where: where, Disabled: b.Disabled})
	}
	for i := range p.tabs {
		at := (p.at + i) % len(p.tabs)
		name := nameOfTab(p.tabs[at])
		for _, a := range p.actions(at) {
			add(name, name+"/"+a.binding.Keys[0], a.binding)
		}
	}
	for i, t := range p.tabs {
		all = append(all, dialog.Command{ID: "tab/" + strconv.Itoa(i), Label: "show " + t.title(), Key: strconv.Itoa(i + 1), Where: "go to"})
	}
	for _, e := range p.snap.environments {
		all = append(all, dialog.Command{ID: "environment/" + e.Name, Label: "look at environment " + e.Name, Where: "go to"})
	}
	for i, link := range p.routes() {
		all = append(all, dialog.Command{ID: "link/" + strconv.Itoa(i), Label: link.Label, Where: "go to"})
	}
	for _, b := range []frame.Binding{p.sortingKey(""), p.undoing(), p.mouseKey(), {Keys: []string{"r"}, Label: "read again", Help: "read the files again"}, {Keys: []string{"/"}, Label: "filter", Help: "leave the rows that have every word that is typed"}} {
		add("page", "page/"+b.Keys[0], b)
	}
	return dialog.Palette(paletteDialog, "What is to be done?", all)
}

// picked does what was chosen in the palette. The rows may have changed since.
func (p *Page) picked(id string) tea.Cmd {
	where, what, _ := strings.Cut(id, "/")
	switch where {
	case "tab":
		at, _ := strconv.Atoi(what)
		p.toTab(at)
		return p.reach()
	case "environment":
		return p.switchTo(what)
	case "link":
		at, _ := strconv.Atoi(what)
		return frame.Go(p.routes()[at].To)
	case "page":
		return p.pressed(tea.KeyPressMsg{Code: []rune(what)[0], Text: what})
	}
	at := p.place(where)
	if at == none {
		return nil
	}
	p.toTab(at)
	return p.act(at, what)
}
