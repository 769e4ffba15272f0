package welcome

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/project"
	"gatewright/tui/dashboard"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/wizard"
)

// Keys are the page's keys as they are now.
func (p *Page) Keys() []frame.Binding {
	r := p.at()
	onAPI, onPath := "", ""
	if r.kind != apiRow && r.kind != pathRow {
		onAPI, onPath = "put the cursor on an API", "put the cursor on a path"
	} else if r.kind == apiRow {
		onPath = "put the cursor on a path"
	}
	label := "open"
	switch r.kind {
	case apiRow:
		label = "add a path"
	case pathRow:
		label = "change"
	}
	hasAPIs, noProject := len(p.session.Project.Backend.APIs) > 0, ""
	if p.session.New {
		noProject = "there is no project yet"
	}
	return []frame.Binding{
		{Keys: []string{"enter"}, Label: label, Help: "do what the line says: make, go on, add a path to the API, change the path", Footer: true, Group: "project"},
		{Keys: []string{"down", "j"}, Label: "down", Help: "move the cursor down", Group: "move"},
		{Keys: []string{"up", "k"}, Label: "up", Help: "move the cursor up", Group: "move"},
		{Keys: []string{"pgdown"}, Label: "page down", Help: "move a page down", Group: "move"},
		{Keys: []string{"pgup"}, Label: "page up", Help: "move a page up", Group: "move"},
		{Keys: []string{"g", "home"}, Label: "top", Help: "move to the first line", Group: "move"},
		{Keys: []string{"G", "end"}, Label: "end", Help: "move to the last line", Group: "move"},
		{Keys: []string{"a"}, Label: "new API", Help: "design a new API", Footer: hasAPIs, Group: "project"},
		{Keys: []string{"d"}, Label: "dashboard", Help: "look at the project as it is: APIs, environments, status, client configuration file", Footer: noProject == "", Disabled: noProject, Group: "project"},
		{Keys: []string{"p"}, Label: "add a path", Help: "add a path to the API at the cursor", Footer: hasAPIs && r.kind == pathRow, Disabled: onAPI, Group: "project"},
		{Keys: []string{"x", "delete"}, Label: "remove", Help: "remove the path at the cursor; what else it touches is said first", Footer: hasAPIs && r.kind == pathRow, Disabled: onPath, Group: "project"},
		{Keys: []string{"r"}, Label: "read again", Help: "read the project's files again", Group: "project"},
	}
}

func (p *Page) key(key string) tea.Cmd {
	page := max(1, p.layout.Main.H-6)
	switch key {
	case "enter":
		return p.open()
	case "down", "j":
		p.row++
	case "up", "k":
		p.row--
	case "pgdown":
		p.row += page
	case "pgup":
		p.row -= page
	case "g", "home":
		p.row = 0
	case "G", "end":
		p.row = len(p.rows) - 1
	case "a":
		return p.start(wizard.Route{})
	case "d":
		return frame.Go(dashboard.Route{})
	case "p":
		return p.start(wizard.Route{Task: flow.Task{API: p.at().api}})
	case "x", "delete":
		return p.planRemoval()
	case "r":
		return p.load(true)
	}
	p.row = max(0, min(p.row, len(p.rows)-1))
	return nil
}

// removal is a removal that waits for a yes.
type removal struct {
	of   model.Ref
	plan *project.Plan
}

// planned is a removal that was worked out.
type planned struct {
	removal
	text string
	err  error
}

type removed struct {
	of  model.Ref
	err error
}

const removeDialog = "remove"

// planRemoval works out what removing the path at the cursor means. An API's
// only path takes the API with it.
func (p *Page) planRemoval() tea.Cmd {
	current, r := p.session.Project, p.at()
	return func() tea.Msg {
		msg := planned{removal: removal{of: model.Ref{Kind: model.KindPath, API: r.api, Name: r.path}}}
		next, err := current.Backend.Edit(func(b *model.Backend) error { return b.Remove(msg.of, false) })
		if isLast(err) {
			msg.of = model.Ref{Kind: model.KindAPI, Name: r.api}
			msg.text = "It is the only path of its API, so the API goes too. "
			next, err = current.Backend.Edit(func(b *model.Backend) error { return b.Remove(msg.of, true) })
		}
		if err == nil {
			msg.plan, err = current.Plan(next)
		}
		if msg.err = err; err != nil {
			return msg
		}
		for _, c := range msg.plan.Changes {
			msg.text += project.Kind(c) + " " + c.Path + ". "
		}
		if fn := servedBy(current.Backend, r.api, r.path); fn != "" && len(next.Uses(model.Ref{Kind: model.KindFunction, Name: fn})) == 0 {
			msg.text += "The function " + model.Quote(fn) + " stays, and serves no path then."
		}
		return msg
	}
}

func servedBy(b *model.Backend, label, name string) string {
	if api := b.API(label); api != nil && api.Path(name) != nil {
		return api.Path(name).Function
	}
	return ""
}

func (p *Page) askToRemove(msg planned) tea.Cmd {
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.removal = &msg.removal
	return frame.Open(dialog.Confirm(removeDialog, "Remove "+msg.of.String()+"?", msg.text,
		dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "remove", Label: "Remove"}))
}

// answer performs what the dialog ended with.
func (p *Page) answer(result dialog.Result) tea.Cmd {
	switch {
	case result.ID == draftDialog && result.Action == dialog.Pressed("resume"):
		return frame.Go(p.resume())
	case result.ID == draftDialog && result.Action == dialog.Pressed("begin"):
		return frame.Go(p.begin)
	}
	if result.ID != removeDialog || p.removal == nil {
		return nil
	}
	r := *p.removal
	p.removal = nil
	if result.Action != dialog.Pressed("remove") {
		return nil
	}
	return func() tea.Msg { return removed{r.of, r.plan.Commit()} }
}
