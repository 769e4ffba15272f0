package board

import (
	"gatewright/model/access"
	"gatewright/tui/viewer"
)

// Seer is a tab that is told when the pages look as somebody else (see Board.Viewer). A tab that asks
// while it is drawn need not be one.
type Seer interface{ SeeAgain() }

// Viewer is as whom the pages look at the project; nil is everybody.
func (b *Board) Viewer() *viewer.Viewer {
	if b.Context == nil {
		return nil
	}
	return b.Context.Viewer
}

// May says what the viewer may do under a path, by the rules of its API; everybody is not asked.
func (b *Board) May(rules access.Rules, p *access.Path) access.Actions {
	return b.Viewer().May(rules, b.order(), p)
}

// order is the order of precedence of the groups of the project.
func (b *Board) order() []string {
	if b.ordered != b.Snap.Backend {
		b.ordered, b.roles = b.Snap.Backend, b.Snap.Backend.RoleOrder()
	}
	return b.roles
}

// SeeAgain tells the tabs that the pages look as somebody else.
func (b *Board) SeeAgain() {
	for _, tab := range b.Tabs {
		if s, ok := tab.(Seer); ok && b.Snap != nil {
			s.SeeAgain()
		}
	}
}
