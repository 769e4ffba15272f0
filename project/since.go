package project

import (
	"errors"
	"io/fs"
	"slices"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// DefinitionSince lists the files of the definition that differ from those of an earlier state
// of the project, sorted by name.
func (p *Project) DefinitionSince(then *Deployment) []journal.Change {
	var names []string
	for name := range p.files {
		names = append(names, name)
	}
	for name := range then.Project.files {
		if p.files[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var changes []journal.Change
	for _, name := range names {
		changes = append(changes, p.definitionChange(then, name)...)
	}
	return changes
}

// SourcesSince lists the files of a function that differ from those of an earlier state of the
// project, which has the same layout, without its definition. Old contents are those of a
// deployment on this machine or of a commit, else only something that differs.
func (p *Project) SourcesSince(then *Deployment, function string) ([]journal.Change, error) {
	return p.changedSources(then, function, p.Layout.FunctionFolder(function),
		p.Layout.File(model.Ref{Kind: model.KindFunction, Name: function}))
}

// FileSince returns the change of a file that is no part of the definition since an earlier state of
// the project; none if it is the same.
func (p *Project) FileSince(then *Deployment, name string) []journal.Change {
	read := func(p *Project) (text []byte, there bool) {
		if p == nil || p.fsys == nil {
			return nil, false
		}
		text, err := read.Bytes(p.fsys, name)
		return text, !errors.Is(err, fs.ErrNotExist)
	}
	c := journal.Change{Path: name}
	c.Old, c.Existed = read(then.Project)
	text, exists := read(p)
	c.New, c.Delete = text, !exists
	return p.differs(then, c)
}
