package welcome

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/course"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/tui/frame"
	"gatewright/tui/learn"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// row is a line that the cursor can be on.
type row struct {
	// id identifies the row for the table.
	id, text string
	// short is next to the text, detail in the other pane.
	short, detail string
	// api and path are those of the row; both may be nil.
	api  *access.API
	path *access.Path
	// draw draws more about it; nil for nothing.
	draw drawer
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
				Text: func(r row) string { return prose.Printable(r.short) },
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
		add(row{
			id: draftID, text: "Continue the draft", short: p.draft.String(),
			draw: drawDraft(p.session.Project.Backend, p.session.NewName(), p.draft),
			open: p.openWizard(route.Resumed(p.draft.Draft)), label: "continue",
		})
	}
	b := p.session.Project.Backend
	design := row{id: "new", text: "Design another API", draw: drawWay, open: p.openWizard(route.Wizard{})}
	switch {
	case p.session.New:
		design.text, design.short = "Make a project with its first API", "8 questions"
		design.detail, design.label = p.session.Project.Seen, "start"
	case len(b.APIs) == 0:
		design.text, design.short, design.label = "Design the first API", "7 questions", "start"
	}
	add(design)
	if p.session.New {
		add(row{
			id: "sample", text: "Open a sample", short: "a bookshop",
			detail: "The wizard with all questions answered: look around, change it, then write it or leave.", draw: drawSample,
			open: p.openWizard(route.Wizard{Start: route.FromSample}),
		})
		add(row{
			id: "learn", text: "Learn step by step",
			short:  fmt.Sprintf("%d of %d lessons done", len(p.lessonsDone), len(course.Lessons())),
			detail: "Lessons to read and tasks to do, in a folder of their own, which is removed at the end.",
			draw:   drawLessons(p.lessonsDone),
			open:   func() tea.Cmd { return learn.Open(p.context.Theme.Kind.String()) },
		})
	} else {
		add(row{
			id: "dashboard", text: "Look at the project", short: "the dashboard",
			detail: "APIs and functions, who may do what, environments and pushes, the client configuration file, requests " +
				"and logs.", open: goTo(route.Dashboard{}),
		})
	}
	for _, api := range b.APIs {
		task, id := flow.Task{API: api.Label}, "api\x00"+api.Label
		add(row{
			id: id, api: api, text: api.Label, short: "API, " + phrase.Count(len(api.Paths), "path"), draw: drawAPI(api),
			label: "add a path", open: p.openWizard(route.Wizard{Task: task}),
		})
		rules := b.Rules(api)
		for _, path := range api.Paths {
			task.Path = path.Name
			add(row{
				id: id + "\x00" + path.Name, api: api, path: path, text: path.Name,
				short: phrase.Quote(path.Function) + ", " + rules.Effective(path).String(),
				draw:  drawProjectPath(b, api, path),
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
