package project

import (
	"slices"

	"gatewright/project/journal"
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

func reversed(changes []journal.Change) []journal.Change {
	back := slices.Clone(changes)
	for i, c := range changes {
		back[i] = journal.Change{Path: c.Path, Old: c.New, Existed: !c.Delete, New: c.Old, Delete: !c.Existed}
	}
	return back
}
