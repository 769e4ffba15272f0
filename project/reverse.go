package project

import (
	"errors"
	"slices"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/render"
)

// Reverse returns the plan that takes a committed plan back: every file gets its former
// bytes, and files that the plan made are deleted. The error of its Commit is a
// *journal.StaleError if a file changed since.
func (p *Plan) Reverse() *Plan {
	return &Plan{
		Changes: reversed(p.Changes), project: p.project,
		state: reversed(p.state), stateMatters: p.stateMatters,
	}
}

// TakeBack commits the reverse of a committed plan. A client configuration file that changed
// since does not keep the definition from it, because a running sandbox writes that file after
// every change and will do so after this one: the file stays as it is, and left names it.
func (p *Plan) TakeBack() (left string, err error) {
	back := p.Reverse()
	err = back.Commit()
	var stale *journal.StaleError
	if !errors.As(err, &stale) {
		return "", err
	}
	for _, f := range stale.Files {
		switch {
		case namesClientFile(f.Path):
			left = f.Path
		case f.Path != lastClientFile:
			return "", err
		}
	}
	follows := func(c journal.Change) bool { return namesClientFile(c.Path) || c.Path == lastClientFile }
	// A change of the dialect moves the file: both names have to be as they were left.
	if slices.ContainsFunc(p.Changes, func(c journal.Change) bool { return follows(c) && c.Delete }) {
		return "", err
	}
	back.Changes, back.state = slices.DeleteFunc(back.Changes, follows), slices.DeleteFunc(back.state, follows)
	if back.Empty() {
		return "", err
	}
	return left, back.Commit()
}

// namesClientFile reports whether a path is that of the client configuration file in a dialect.
func namesClientFile(path string) bool {
	return slices.ContainsFunc(model.Dialects, func(d model.Dialect) bool { return render.ClientFileName(d) == path })
}

func reversed(changes []journal.Change) []journal.Change {
	back := slices.Clone(changes)
	for i, c := range changes {
		back[i] = journal.Change{Path: c.Path, Old: c.New, Existed: !c.Delete, New: c.Old, Delete: !c.Existed}
	}
	return back
}
