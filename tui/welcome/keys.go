package welcome

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/project/plan"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/outside"
	"gatewright/tui/route"
)

// Bindings are the actions of the page.
func (p *Page) Bindings() []keys.Binding {
	if p.Typing() {
		return p.table.Bindings()
	}
	r, ok := p.table.Row()
	hasAPIs := len(p.session.Project.Backend.APIs) > 0
	makes := p.openWizard(route.Wizard{})
	add := keys.Add.Does("new API", "design a new API", makes).ShownIf(hasAPIs)
	if r.api != nil {
		add = keys.Add.Does("add a path", "add a path to the API at the cursor",
			p.openWizard(route.Wizard{Task: flow.Task{API: r.api.Label}})).ShownIf(r.path != nil)
	}
	return append(keys.InGroup("project", []keys.Binding{
		keys.Open.Does(cmp.Or(r.label, "open"), "open the row: make, go on, add a path to the API, change the path",
			func() tea.Cmd { return r.open() }).Shown().Unless(keys.When(!ok, "nothing matches")),
		add,
		keys.AddBeside.Does("new API", "design a new API", makes).ShownIf(r.api != nil),
		keys.Remove.Does("remove", "remove the API or the path at the cursor; asks first and says what else changes",
			func() tea.Cmd { return p.planRemoval(r) }).ShownIf(r.path != nil).Unless(keys.When(r.api == nil,
			"put the cursor on an API or a path")),
		keys.Read.Does("read again", "read the project's files again", func() tea.Cmd { return p.load(true) }),
	}), p.table.Bindings()...)
}

// planRemoval plans the removal of the path or the API at the cursor, and asks.
func (p *Page) planRemoval(r row) tea.Cmd {
	current, of := p.session.Project, model.Ref{Kind: model.KindAPI, Name: r.api.Label}
	if r.path != nil {
		of = model.Ref{Kind: model.KindPath, API: r.api.Label, Name: r.path.Name}
	}
	return func() tea.Msg {
		read, _, err := p.session.Since(current)
		var (
			planned *plan.Plan
			warning string
		)
		if err == nil {
			planned, warning, err = session.PlanRemoval(read, of)
		}
		if err != nil {
			return frame.Say(frame.Error, "%v", err)()
		}
		return frame.Open(dialog.Sure("Remove "+of.String()+"?", session.Explain(planned, warning), "Remove", func() tea.Cmd {
			return func() tea.Msg {
				_, news, err := p.session.Commit(read, planned)
				if news.Changed {
					return frame.ThenMsg(func() tea.Cmd {
						return tea.Batch(p.planRemoval(r), outside.Say("nothing was removed yet: ", news))
					})
				}
				if err != nil {
					return frame.Say(frame.Error, "nothing was removed: %v", err)()
				}
				return tea.Batch(frame.Announce(session.WrittenMsg{}), frame.Say(frame.Good, "removed %s", of))()
			}
		}))()
	}
}
