package board

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/frame"
	"gatewright/tui/viewer"
)

// Seer is a tab that hears when the pages look as somebody else (see Board.Viewer). A tab that asks
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

// Principal is whom the viewer acts as; false for everybody.
func (b *Board) Principal() (access.Principal, bool) {
	if b.Viewer() == nil || b.Snap == nil {
		return access.Principal{}, false
	}
	return b.Viewer().Principal(b.order()), true
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

// MayLines say which methods the viewer may send under a path, and which not; nothing of everybody.
func (b *Board) MayLines(rules access.Rules, p *access.Path) []prose.Line {
	if b.Viewer() == nil {
		return nil
	}
	var lines []prose.Line
	add := func(tone prose.Tone, words string, actions access.Actions) {
		var methods []string
		for _, action := range actions.List() {
			methods = append(methods, rules.Terms().Methods(action)...)
		}
		if len(methods) > 0 {
			lines = append(lines, prose.Line{Tone: tone, Text: b.Viewer().Name() + words + strings.Join(methods, ", ")})
		}
	}
	may := b.May(rules, p)
	add(prose.Strong, " may send ", may)
	add(prose.Muted, " may not send ", access.EveryAction.Without(may))
	return lines
}

// leaveGone has the pages look as everybody if the viewer is in a group that the project no longer has.
func (b *Board) leaveGone() tea.Cmd {
	v := b.Viewer()
	if v == nil || v.User != "" || len(b.Snap.Broken) > 0 {
		return nil
	}
	gone := func(group string) bool { return !slices.Contains(b.order(), group) }
	if at := slices.IndexFunc(v.Caller.Groups, gone); at >= 0 {
		return tea.Batch(frame.LookAs(nil), frame.Say(frame.Warn, "no longer viewing as %s: there is no group %s", v.Name(),
			prose.PrintableStart(phrase.Quote(v.Caller.Groups[at]))))
	}
	return nil
}
