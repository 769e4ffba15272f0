package flow

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
)

// pathStep asks for the path itself.
var pathStep = &step{
	kind: "path", short: "path",
	title: "Which path?",
	help:  "It starts with /. A segment in braces is a variable. One function serves the path and everything below it.",
	ofAPI: func(f *Flow) string { return "Which path of the API " + phrase.Quote(f.Label()) + "?" },
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		path := text("path", "Path", &p.Path, "", "segments of A-Z a-z 0-9 . _ : - or {variable}")
		path.Example = "/items or /book/{isbn}"
		return []Field{path}
	},
	check: func(f *Flow, at ID, p *PathAnswer) []Fault {
		var all faults
		if p.Path != f.Task.Path || p.Path == "" {
			if err := model.CheckPath(p.Path); err != nil {
				all.add("path", err)
				return all
			}
		}
		b, err := f.try(at)
		if err != nil {
			return nil // that is said at another step
		}
		if b.Function(placeholder) == nil {
			b.Functions = append(slices.Clip(b.Functions), &model.Function{Name: placeholder})
		}
		all.add("path",
			f.putPath(b, &access.Path{Name: p.Path, Function: placeholder, Access: access.Access{Setting: access.Open}}))
		return all
	},
}

// placeholder is the name of a thing while only a part of it is checked.
const placeholder = "name-to-be-chosen"

// anotherStep asks whether to add one more path.
var anotherStep = &step{
	kind: "another", short: "another path",
	title: "Add another path?", help: "Each path has its own function and its own access.",
	asked: func(f *Flow, _ *PathAnswer) bool { return f.Task.Path == "" },
	fields: func(_ *Flow, _ ID, p *PathAnswer) []Field {
		return []Field{choice("another", "", &p.Another, prose.Option{Key: No, Title: "No, go on"},
			prose.Option{Key: Yes, Title: "Yes, one more"})}
	},
}
