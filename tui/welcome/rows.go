package welcome

import (
	"gatewright/model"
	"gatewright/prose"
	"gatewright/tui/widget"
)

// row is a line that the cursor can be on.
type row struct {
	kind rowKind
	// api and path are what the row is about; nil for neither.
	api          *model.API
	path         *model.Path
	text, detail string
}

// rowKind is what a row leads to; those of a project's APIs and paths are many.
type rowKind string

const (
	resumeRow    rowKind = "resume"
	newRow       rowKind = "new"
	sampleRow    rowKind = "sample"
	learnRow     rowKind = "learn"
	dashboardRow rowKind = "dashboard"
	apiRow       rowKind = "api"
	pathRow      rowKind = "path"
)

func newTable() widget.Table[row] {
	return widget.Table[row]{
		Columns: []widget.Column[row]{
			{
				Least: 20,
				Text: func(r row) string {
					if r.kind == pathRow {
						return "  " + prose.Fit(r.text)
					}
					return prose.Fit(r.text)
				},
				Tone: func(r row) prose.Tone {
					if r.kind == apiRow {
						return prose.Strong
					}
					return prose.Plain
				},
			},
			{
				Least: 8, Rank: 1,
				Text: func(r row) string { return prose.Fit(r.detail) },
				Tone: func(row) prose.Tone { return prose.Muted },
			},
		},
		ID: func(r row) string {
			id := string(r.kind)
			if r.api != nil {
				id += "\x00" + r.api.Label
			}
			if r.path != nil {
				id += "\x00" + r.path.Name
			}
			return id
		},
		Level: widget.Below(func(r row) bool { return r.kind != pathRow }),
	}
}

// rows are what there is, and what can be made.
func (p *Page) rows() []row {
	var rows []row
	if p.draft != nil {
		rows = append(rows, row{kind: resumeRow, text: "Go on with the draft", detail: p.draft.String()})
	}
	b := p.session.Project.Backend
	switch {
	case p.session.New:
		rows = append(rows,
			row{kind: newRow, text: "Make a project with its first API", detail: "asks everything, writes at the end"},
			row{kind: sampleRow, text: "Open a sample", detail: "a bookshop, all questions answered; look around, change it, write it or leave it"},
			row{kind: learnRow, text: "Learn the flow", detail: "six lessons in a folder of their own, which is removed at the end"})
	case len(b.APIs) == 0:
		rows = append(rows, row{kind: newRow, text: "Design the first API", detail: "asks everything, writes at the end"})
	default:
		rows = append(rows, row{kind: newRow, text: "Design another API"})
	}
	if !p.session.New {
		rows = append(rows, row{kind: dashboardRow, text: "Look at the project", detail: "APIs, environments, status, client configuration file"})
	}
	for _, api := range b.APIs {
		rows = append(rows, row{kind: apiRow, api: api, text: api.Label, detail: "api"})
		for _, path := range api.Paths {
			rows = append(rows, row{kind: pathRow, api: api, path: path, text: path.Name, detail: model.Quote(path.Function) + ", " + path.Access.String()})
		}
	}
	return rows
}
