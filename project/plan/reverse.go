package plan

import (
	"context"
	"errors"
	"slices"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/render"
)

// Reverse returns the plan that takes a committed plan back: every file gets its former bytes, and files that the
// plan made are deleted. The error of its Commit is a *journal.StaleError if a file changed since. The client
// configuration file may have: a sandbox that runs has written it by then. It is made again, from the definitions.
func (p *Plan) Reverse() *Plan {
	return &Plan{
		Changes: reversed(p.Changes), project: p.project,
		state: reversed(p.state), stateMatters: p.stateMatters, takesBack: true,
	}
}

// followsDefinitions reports whether a file is the client configuration file, or the record of
// what was written there.
func followsDefinitions(name string) bool {
	return name == project.LastClientFile ||
		slices.ContainsFunc(model.Dialects, func(d model.Dialect) bool { return name == render.ClientFileName(d) })
}

// movesClientFile reports whether the plan gives the client configuration file another name, as
// a change of the dialect does.
func (p *Plan) movesClientFile() bool {
	return slices.ContainsFunc(p.Changes, func(c journal.Change) bool { return followsDefinitions(c.Path) && c.Delete })
}

// onlyClientFile reports whether an error says that nothing but the client configuration file
// changed since the plan was made.
func onlyClientFile(err error) bool {
	var stale *journal.StaleError
	return errors.As(err, &stale) &&
		!slices.ContainsFunc(stale.Files, func(f journal.StaleFile) bool { return !followsDefinitions(f.Path) })
}

// commitDefinitions writes the plan except for the client configuration file, which it then
// makes from the definitions. What somebody else added to that file stays.
func (p *Plan) commitDefinitions() error {
	changes := slices.DeleteFunc(slices.Concat(p.Changes, p.state),
		func(c journal.Change) bool { return followsDefinitions(c.Path) })
	if err := journal.Commit(p.project.FS, changes); err != nil {
		return err
	}
	// The definitions are back, whether this fails or not: the next edit and the next start of
	// a sandbox write the file too.
	_ = journal.WhenFree(context.Background(), func() error {
		now, err := project.Load(p.project.FS, p.project.Layout)
		if err != nil {
			return err
		}
		plan, err := Of(now, now.Backend)
		if err != nil {
			return err
		}
		return plan.Commit()
	})
	return nil
}

func reversed(changes []journal.Change) []journal.Change {
	back := slices.Clone(changes)
	for i, c := range changes {
		back[i] = journal.Change{Path: c.Path, Old: c.New, Existed: !c.Delete, New: c.Old, Delete: !c.Existed}
	}
	return back
}
