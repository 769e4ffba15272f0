package dashboard

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Bindings are the keys of the selected row, of the tab, and of the page.
func (p *Page) Bindings() []keys.Binding {
	if !p.ready() {
		return []keys.Binding{p.readAgain()}
	}
	if p.Typing() {
		return p.tab().Table().Bindings()
	}
	ofRow := keys.InGroup("row", p.tab().Bindings())
	if p.focus > 0 {
		back := keys.Back.Does("rows", "move the focus to the rows",
			keys.NoCmd(func() { p.focus = 0 })).Shown().In("tabs")
		if p.inThird() {
			return slices.Concat(p.third.Bindings(), []keys.Binding{back}, ofRow, p.tabKeys(), p.pageKeys())
		}
		if w, ok := p.tab().(board.Walker); ok {
			ofRow = append(keys.InGroup("row", w.DetailBindings()), ofRow...)
		}
		return slices.Concat(p.detail.Bindings(), []keys.Binding{back}, ofRow, p.tabKeys(), p.pageKeys())
	}
	return slices.Concat(ofRow, p.tab().Table().Bindings(), p.tabKeys(), p.pageKeys())
}

// everywhere are the keys that other tabs have on all tabs; only on its own does a tab show
// them in the footer.
func (p *Page) everywhere() []keys.Binding {
	var all []keys.Binding
	for i, tab := range p.tabs {
		if of, ok := tab.(board.Everywhere); ok && i != p.current {
			for _, b := range of.Everywhere() {
				all = append(all, b.ShownIf(false))
			}
		}
	}
	return keys.InGroup("activity", all)
}

// tabKeys are the keys that open tabs and change between rows and details.
func (p *Page) tabKeys() []keys.Binding {
	step := func(by int) func() tea.Cmd {
		return func() tea.Cmd { return p.toTab((p.current + by + len(p.tabs)) % len(p.tabs)) }
	}
	all := []keys.Binding{
		keys.After.Does("next tab", "go to the next tab", step(1)).Shown(),
		keys.Before.Does("previous tab", "go to the previous tab", step(-1)),
	}
	for i, t := range p.tabs {
		label, about, show := "show "+t.Title(), "go to the tab "+t.Name(), func() tea.Cmd { return p.toTab(i) }
		if i < numberKeys {
			all = append(all, keys.Number.Nth(i, label, about, show))
		} else {
			all = append(all, keys.Action(label, about, show))
		}
	}
	for back, other := range []keys.Meaning{keys.NextField, keys.PriorField} {
		to, name := p.otherPane(1 - 2*back)
		all = append(all, other.Does(name, "change between the rows and the details", keys.NoCmd(to)))
	}
	return keys.InGroup("tabs", all)
}

// otherPane moves the keys to the next pane, or back to the one before.
func (p *Page) otherPane(by int) (move func(), name string) {
	names := []string{"rows", "details", "calls and logs"}
	if p.named == "" {
		names = names[:2]
	}
	at := (min(p.focus, len(names)-1) + by + len(names)) % len(names)
	return func() { p.focus = at }, names[at]
}

// inThird reports whether the third pane has the keys.
func (p *Page) inThird() bool { return p.focus > 1 && p.named != "" }

// toTab brings a tab to the front.
func (p *Page) toTab(at int) tea.Cmd {
	p.current, p.focus = at, 0
	return p.board.SetFront(p.tabs[at])
}

// pageKeys are the keys that concern the whole page.
func (p *Page) pageKeys() []keys.Binding {
	one := keys.When(len(p.board.Snap.Environments) < 2, "there is no other environment")
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return p.step(by) } }
	return append(p.everywhere(), []keys.Binding{
		keys.Environment.Does("environment", "look at another environment, on this page only",
			p.chooseEnvironment).Shown().Unless(one).In("environment"),
		keys.NextMode.Does("next", "look at the next environment", step(1)).Unless(one).In("environment"),
		keys.PriorMode.Does("previous", "look at the previous environment", step(-1)).Unless(one).In("environment"),
		p.board.Undo().In("files"),
		p.readAgain(),
	}...)
}

func (p *Page) readAgain() keys.Binding {
	return keys.Read.Does("read again",
		"read the files again, as every change does by itself; ask AWS about an environment there",
		func() tea.Cmd {
			return tea.Batch(p.board.Read(), p.board.Observe(), p.board.LookAgain())
		}).In("files")
}

// step shows the next or previous environment, and wraps around at the ends.
func (p *Page) step(by int) tea.Cmd {
	all := p.board.Snap.Environments
	for i, e := range all {
		if e.Name == p.board.Wanted() {
			return p.board.SwitchTo(all[(i+by+len(all))%len(all)].Name)
		}
	}
	return nil
}

func (p *Page) chooseEnvironment() tea.Cmd {
	var items []prose.Option
	for _, e := range p.board.Snap.Environments {
		note := string(e.Provider) + ", " + e.Pushed()
		if e.Guarded {
			note += ", guarded"
		}
		items = append(items, prose.Option{Key: e.Name, Title: e.Name, Detail: note})
	}
	return frame.Open(dialog.Choose("Look at an environment", items, p.board.Wanted(), p.board.SwitchTo))
}

// Commands are what the palette adds to the bindings: those of the other tabs, and where to
// go.
func (p *Page) Commands() []keys.Binding {
	if !p.ready() {
		return nil
	}
	var all []keys.Binding
	everywhere := p.everywhere()
	for i, t := range p.tabs {
		if i == p.current {
			continue
		}
		for _, b := range t.Bindings() {
			if slices.ContainsFunc(everywhere, func(e keys.Binding) bool { return len(b.Keys()) > 0 && e.Has(b.Keys()[0]) }) {
				continue // it is there already
			}
			do := b.Do
			b.Group, b.Do = strings.ToLower(t.Name()), func() tea.Cmd {
				return tea.Batch(p.toTab(i), do())
			}
			all = append(all, b)
		}
	}
	goTo := func(label string, do func() tea.Cmd) { all = append(all, keys.Action(label, "", do).In("go to")) }
	for _, e := range p.board.Snap.Environments {
		goTo("look at environment "+e.Name, func() tea.Cmd { return p.board.SwitchTo(e.Name) })
	}
	goTo("send requests in the console", func() tea.Cmd { return frame.Go(route.Console{Environment: p.board.Wanted()}) })
	if p.board.Session != nil {
		goTo("the welcome page", func() tea.Cmd { return frame.Go(route.Welcome{}) })
	}
	return all
}

// hitAreas are the parts of the last drawing that react to clicks.
type hitAreas struct {
	// tabs is the line of the tabs; cells are what is on it.
	tabs  int
	cells []tabCell
	// rows is the first line of the table; its pane is width cells wide, and ends above the
	// line height.
	rows, width, height int
	// third is the third pane; empty if there is none.
	third layout.Rect
}

// handleMouse handles clicks and the wheel. A click on the selected row opens it.
func (p *Page) handleMouse(msg tea.MouseMsg) tea.Cmd {
	if !p.ready() {
		return nil
	}
	at, table := msg.Mouse(), p.tab().Table()
	inRows, third := at.X < p.areas.width && at.Y < p.areas.height, p.areas.third.Contains(at.X, at.Y)
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		switch {
		case inRows:
			return table.Wheel(msg)
		case third:
			p.third.Wheel(msg)
		default:
			p.detail.Wheel(msg)
		}
	case tea.MouseClickMsg:
		switch {
		case p.Typing() || at.Button != tea.MouseLeft:
			return nil
		case at.Y == p.areas.tabs:
			return p.clickTabs(at.X)
		}
		if p.focus = 1; inRows {
			p.focus = 0
		} else if third {
			p.focus = 2
		}
		cmd, again := table.Click(at.X-widget.PaneW/2, at.Y-p.areas.rows)
		if again {
			return p.open()
		}
		return cmd
	}
	return nil
}

// open does what enter does on the selected row.
func (p *Page) open() tea.Cmd {
	return keys.Open.Do(p.tab().Bindings())
}

// numberKeys is how many tabs have a key with their number.
const numberKeys = 10

// numbered is the text of a tab with the number that is its key, if it has one.
func numbered(i int, text string) string {
	if i >= numberKeys {
		return text
	}
	return fmt.Sprintf("%d %s", (i+1)%numberKeys, text)
}
