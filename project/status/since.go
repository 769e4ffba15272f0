package status

import (
	"errors"
	"io/fs"
	"slices"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// DefinitionSince lists the files of the definition that differ from those of an earlier state
// of the project, sorted by name.
func DefinitionSince(p *project.Project, then *project.Deployment) []journal.Change {
	var names []string
	for name := range p.Definitions {
		names = append(names, name)
	}
	for name := range then.Project.Definitions {
		if p.Definitions[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var changes []journal.Change
	for _, name := range names {
		changes = append(changes, definitionChange(p, then, name)...)
	}
	return changes
}

// SourcesSince lists the files of a function that differ from those of an earlier state of the
// project, which has the same layout, without its definition. Old contents are those of a
// deployment on this machine or of a commit, else only something that differs.
func SourcesSince(p *project.Project, then *project.Deployment, function string) ([]journal.Change, error) {
	return p.ChangedSources(then, function, p.Layout.FunctionFolder(function),
		p.Layout.File(model.Ref{Kind: model.KindFunction, Name: function}))
}

// FileSince returns the change of a file that is no part of the definition since an earlier state of
// the project; none if it is the same.
func FileSince(p *project.Project, then *project.Deployment, name string) []journal.Change {
	read := func(p *project.Project) (text []byte, there bool) {
		if p == nil || p.FS == nil {
			return nil, false
		}
		text, err := read.Bytes(p.FS, name)
		return text, !errors.Is(err, fs.ErrNotExist)
	}
	c := journal.Change{Path: name}
	c.Old, c.Existed = read(then.Project)
	text, exists := read(p)
	c.New, c.Delete = text, !exists
	return differs(p, then, c)
}
