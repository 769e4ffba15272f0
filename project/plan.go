package project

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/render"
)

// planner collects the changes of one plan.
type planner struct {
	*Project
	next *model.Backend
	plan *Plan
	// changes are what is planned so far, by path.
	changes map[string]journal.Change
	// renames give by kind what a thing of next was called.
	renames map[model.Kind]map[string]string
}

// planner starts a plan. It refuses while a file of the project could not be
// read.
func (p *Project) planner(next *model.Backend) (*planner, error) {
	if err := FirstError(p.Problems); err != nil {
		return nil, fmt.Errorf("nothing is written while the project has an error: %w", err)
	}
	return &planner{Project: p, next: next, plan: &Plan{project: p}, changes: make(map[string]journal.Change)}, nil
}

// Plan works out what the files of the project must become so that they define
// next, a backend made from the project's own by edits; renames are those among
// the edits, in their order. It writes nothing. It refuses while a file of the
// project could not be read, and what the layout does not let this program
// change.
func (p *Project) Plan(next *model.Backend, renames ...Renamed) (*Plan, error) {
	pl, err := p.planner(next)
	if err != nil {
		return nil, err
	}
	pl.trackRenames(renames)
	// What goes makes room for what moves, and that for what comes.
	steps := []func() error{pl.refuseLegacy, pl.removeAPIs, pl.removeDefinitions, pl.move, pl.apis, pl.definitions, pl.ignore, pl.clientFile}
	if p.Layout == Amplify {
		steps = []func() error{pl.refuseAmplify, pl.refuseLegacy, pl.removeAPIs, pl.move, pl.apis, pl.backendConfig, pl.noteAmplifyRules}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return pl.finish()
}

// finish gives the plan: what really changes, sorted by path. A file that could
// not be read again is not written.
func (pl *planner) finish() (*Plan, error) {
	for _, name := range slices.Sorted(maps.Keys(pl.changes)) {
		c := pl.changes[name]
		switch {
		case c.Delete && !c.Existed, !c.Delete && c.Existed && bytes.Equal(c.Old, c.New):
			continue
		case !c.Delete && len(c.New) > MaxFile:
			return nil, &Problem{File: name, Text: fmt.Sprintf("would have %d bytes", len(c.New)), Fix: tooLargeFix, cause: ErrTooLarge}
		}
		pl.plan.Changes = append(pl.plan.Changes, c)
	}
	return pl.plan, nil
}

// put plans a change. Of a file that is planned already, what is on disk stays
// what it was.
func (pl *planner) put(c journal.Change) {
	if have, ok := pl.changes[c.Path]; ok {
		c.Old, c.Existed = have.Old, have.Existed
		if c.Mode == 0 {
			c.Mode = have.Mode
		}
	}
	pl.changes[c.Path] = c
}

// note says one sentence of what the plan does beyond what was asked.
func (pl *planner) note(name, format string, args ...any) {
	pl.plan.Notes = append(pl.plan.Notes, QuotePath(name)+" "+fmt.Sprintf(format, args...))
}

// edit brings a file that was read from one rendering to another; to is where
// it lies then.
func (pl *planner) edit(name, to string, before, after []byte) error {
	f := pl.files[name]
	if f == nil {
		return &Problem{File: name, Text: "was not read", Fix: "load the project again"}
	}
	return pl.editFile(f, to, before, after)
}

// editFile changes in a file what differs between two renderings, and nothing
// else of it.
func (pl *planner) editFile(f *file, to string, before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	if err := checkRendered(to, before, after); err != nil {
		return err
	}
	data, err := f.doc.Change(before, after)
	if err != nil {
		return &Problem{File: f.path, Text: err.Error(), cause: err}
	}
	c := journal.Change{Path: to, Existed: to == f.path, New: data}
	if c.Existed {
		c.Old = f.doc.Bytes()
	}
	pl.put(c)
	return nil
}

// create plans a new definition. A file that is there already was not read as
// one, and is not written over.
func (pl *planner) create(name string, data []byte) error {
	if err := checkRendered(name, data); err != nil {
		return err
	}
	if err := pl.refuseExisting(name); err != nil {
		return err
	}
	pl.put(journal.Change{Path: name, New: data})
	return nil
}

// refuseExisting refuses a place where something lies that the plan does not take away.
func (pl *planner) refuseExisting(name string) error {
	switch {
	case pl.changes[name].Delete || !exists(pl.fsys, name):
		return nil
	case name == marks[Native].file:
		return &Problem{File: name, Text: "belongs to another tool, as it names no application", Fix: "make the project in another folder", cause: ErrAmplifyCLI}
	}
	return &Problem{File: name, Text: "exists already", Fix: "move it away", cause: model.ErrExists}
}

// checkRendered refuses renderings that failed.
func checkRendered(name string, renderings ...[]byte) error {
	for _, data := range renderings {
		if err := render.Failed(data); err != nil {
			return &Problem{File: name, Text: "cannot be written as JSON: " + err.Error(), Fix: "change the value that it names", cause: err}
		}
	}
	return nil
}

// remove plans to delete a file that was read.
func (pl *planner) remove(name string) {
	if f := pl.files[name]; f != nil {
		pl.put(journal.Change{Path: name, Existed: true, Old: f.doc.Bytes(), Delete: true})
	}
}
