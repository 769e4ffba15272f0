package dashboard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

const environmentDialog = "page/environment"

// switchTo shows another environment. It is chosen on this page alone.
func (p *Page) switchTo(env string) tea.Cmd {
	p.env = env
	return p.load()
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
		items[i] = dialog.Item{ID: e.Name, Label: e.Name, Note: note, Current: e.Name == p.wanted()}
	}
	return frame.Open(dialog.Choose(environmentDialog, "Look at an environment", items))
}
