package welcome

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/frame"
	"gatewright/tui/learn"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// row is a line that the cursor can be on.
type row struct {
	// id identifies the row for the table.
	id, text, detail string
	// api and path are those of the row; both may be nil.
	api  *model.API
	path *model.Path
	// open is the action of enter, label its label in the footer; "" is "open".
	open  func() tea.Cmd
	label string
}

// draftID is the id of the row that goes on with the draft.
const draftID = "resume"

func newTable() widget.Table[row] {
	return widget.Table[row]{
		Columns: []widget.Column[row]{
			{
				Least: 20,
				Text: func(r row) string {
					if r.path != nil {
						return "  " + prose.Printable(r.text)
					}
					return prose.Printable(r.text)
				},
				Tone: func(r row) prose.Tone {
					if r.api != nil && r.path == nil {
						return prose.Strong
					}
					return prose.Plain
				},
			},
			{
				Least: 8, Rank: 1,
				Text: func(r row) string { return prose.Printable(r.detail) },
				Tone: func(row) prose.Tone { return prose.Muted },
			},
		},
		ID:    func(r row) string { return r.id },
		Level: widget.Below(func(r row) bool { return r.path == nil }),
	}
}

// rows are what can be made, and the APIs and paths of the project.
func (p *Page) rows() []row {
	var rows []row
	add := func(r row) { rows = append(rows, r) }
	goTo := func(to frame.Route) func() tea.Cmd { return func() tea.Cmd { return frame.Go(to) } }
	if p.draft != nil {
		add(row{id: draftID, text: "Go on with the draft", detail: p.draft.String(), open: goTo(route.Resumed(p.draft.Draft))})
	}
	b := p.session.Project.Backend
	design := row{id: "new", text: "Design another API", open: p.openWizard(route.Wizard{})}
	switch {
	case p.session.New:
		design.text, design.detail = "Make a project with its first API", "asks everything, writes at the end"
	case len(b.APIs) == 0:
		design.text, design.detail = "Design the first API", "asks everything, writes at the end"
	}
	add(design)
	if p.session.New {
		add(row{
			id: "sample", text: "Open a sample", detail: "a bookshop, all questions answered; look around, change it, write it or leave it",
			open: p.openWizard(route.Wizard{Start: route.FromSample}),
		})
		add(row{
			id: "learn", text: "Learn the flow", detail: "six lessons in a folder of their own, which is removed at the end",
			open: func() tea.Cmd { return learn.Open(p.context.Theme.Kind.String()) },
		})
	} else {
		add(row{id: "dashboard", text: "Look at the project", detail: "APIs, environments, status, client configuration file", open: goTo(route.Dashboard{})})
	}
	for _, api := range b.APIs {
		task, id := flow.Task{API: api.Label}, "api\x00"+api.Label
		add(row{id: id, api: api, text: api.Label, detail: "API", label: "add a path", open: p.openWizard(route.Wizard{Task: task})})
		for _, path := range api.Paths {
			task.Path = path.Name
			add(row{
				id: id + "\x00" + path.Name, api: api, path: path, text: path.Name, detail: model.Quote(path.Function) + ", " + path.Access.String(),
				label: "change", open: p.openWizard(route.Wizard{Task: task}),
			})
		}
	}
	return rows
}

// openWizard is an action that opens the wizard.
func (p *Page) openWizard(to route.Wizard) func() tea.Cmd {
	return func() tea.Cmd { return to.GoIn(p.session.Project, p.draft) }
}
