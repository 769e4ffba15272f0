// Package plan says which files an edit of a project changes, and how: old bytes and new ones, that a
// person agrees to and package journal writes. It never writes.
package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/amplify"
	"gatewright/project/journal"
	"gatewright/project/read"
	"gatewright/render"
)

// planner collects the changes of one plan.
type planner struct {
	*project.Project
	next *model.Backend
	plan *Plan
	// changes are the changes planned so far, by path.
	changes map[string]journal.Change
	// renames map the names in next to the names as read, by kind.
	renames map[model.Kind]map[string]string
	// served and servedBefore are the paths that each function serves, in next and as read.
	served, servedBefore func() map[string][]string
}

// newPlanner starts a plan. The error is the first problem that is an error.
func newPlanner(p *project.Project, next *model.Backend) (*planner, error) {
	if err := read.FirstError(p.Problems); err != nil {
		return nil, fmt.Errorf("nothing is written while the project has an error: %w", err)
	}
	return &planner{
		Project: p, next: next, plan: &Plan{project: p}, changes: make(map[string]journal.Change),
		served:       sync.OnceValue(func() map[string][]string { return servedPaths(next) }),
		servedBefore: sync.OnceValue(func() map[string][]string { return servedPaths(p.Backend) }),
	}, nil
}

// Of works out the changes after which the files of the project define next, a backend made from the project's own by
// edits; renames are the renames among the edits, in their order. It writes nothing. It refuses if a file of the
// project could not be read, or if only the Amplify CLI may make the change.
func Of(p *project.Project, next *model.Backend, renames ...Renamed) (*Plan, error) {
	pl, err := newPlanner(p, next)
	if err != nil {
		return nil, err
	}
	pl.trackRenames(renames)
	// Deletions make room for moved files, and both for new ones.
	steps := []func() error{
		pl.refuseLegacy, pl.removeAPIs, pl.contracts, pl.removeDefinitions, pl.move, pl.apis,
		pl.definitions, pl.ignore, pl.clientFile, pl.keepProfiles, pl.noteBrokenTests,
	}
	if p.Amplify != nil {
		steps = []func() error{
			pl.refuseAmplify, pl.refuseLegacy, pl.removeAPIs, pl.contracts, pl.move, pl.apis,
			pl.backendConfig, pl.noteAmplifyRules, pl.noteBrokenTests,
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return pl.finish()
}

// finish returns the plan with the changes that have an effect, sorted by path. It
// refuses a file that would be too large to be read again.
func (pl *planner) finish() (*Plan, error) {
	for _, name := range slices.Sorted(maps.Keys(pl.changes)) {
		c := pl.changes[name]
		switch {
		case c.Delete && !c.Existed, !c.Delete && c.Existed && bytes.Equal(c.Old, c.New):
			continue
		case !c.Delete && len(c.New) > read.MaxFile:
			return nil, &read.Problem{
				File: name, Text: fmt.Sprintf("would have %d bytes", len(c.New)), Fix: read.TooLargeFix,
				Cause: read.ErrTooLarge,
			}
		}
		pl.plan.Changes = append(pl.plan.Changes, c)
	}
	return pl.plan, nil
}

// put plans a change. It keeps the old content and the mode of an earlier change of the same file.
func (pl *planner) put(c journal.Change) {
	if have, ok := pl.changes[c.Path]; ok {
		c.Old, c.Existed = have.Old, have.Existed
		if c.Mode == 0 {
			c.Mode = have.Mode
		}
	}
	pl.changes[c.Path] = c
}

// note adds a sentence about a file to the plan's notes.
func (pl *planner) note(name, format string, args ...any) {
	pl.plan.Notes = append(pl.plan.Notes, phrase.QuotePath(name)+" "+fmt.Sprintf(format, args...))
}

// edit plans to change a file that was read by the difference of two renderings; to is its new path.
func (pl *planner) edit(name, to string, before, after []byte) error {
	f := pl.Definitions[name]
	if f == nil {
		return &read.Problem{File: name, Text: "was not read", Fix: "load the project again"}
	}
	return pl.editFile(f, to, before, after)
}

// editFile plans to change in a file what differs between two renderings, and nothing else.
func (pl *planner) editFile(f *read.File, to string, before, after []byte) error {
	if bytes.Equal(before, after) {
		return nil
	}
	if err := checkRendered(to, before, after); err != nil {
		return err
	}
	data, err := f.Doc.Change(before, after)
	if err != nil {
		return &read.Problem{File: f.Path, Text: err.Error(), Cause: err}
	}
	c := journal.Change{Path: to, Existed: to == f.Path, New: data}
	if c.Existed {
		c.Old = f.Doc.Bytes()
	}
	pl.put(c)
	return nil
}

// create plans a new file. It refuses to overwrite one.
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

// refuseExisting refuses a path where there is a file that the plan neither deletes nor gives another case.
func (pl *planner) refuseExisting(name string) error {
	recased := func(c journal.Change) bool {
		same, _ := journal.IsSame(pl.FS, c.Path, name)
		return c.Delete && same
	}
	switch {
	case pl.changes[name].Delete || !read.Exists(pl.FS, name):
		return nil
	case slices.ContainsFunc(slices.Collect(maps.Values(pl.changes)), recased):
		return nil
	case name == project.Native.File(model.Ref{Kind: model.KindProject}):
		return &read.Problem{
			File: name, Text: "has no applicationId, so it belongs to another program",
			Fix: "create the project in another folder", Cause: amplify.ErrKept,
		}
	}
	return &read.Problem{File: name, Text: "exists already", Fix: "move it away", Cause: model.ErrExists}
}

// checkRendered refuses a rendering that failed.
func checkRendered(name string, renderings ...[]byte) error {
	for _, data := range renderings {
		if err := render.Failed(data); err != nil {
			return &read.Problem{
				File: name, Text: "cannot be written as JSON: " + err.Error(), Fix: "change the value that it names",
				Cause: err,
			}
		}
	}
	return nil
}

// remove plans to delete a file that was read.
func (pl *planner) remove(name string) {
	if f := pl.Definitions[name]; f != nil {
		pl.put(journal.Change{Path: name, Existed: true, Old: f.Doc.Bytes(), Delete: true})
	}
}

// Add adds new files to the plan. It refuses one that exists already.
func (p *Plan) Add(files []journal.Change) error {
	for _, c := range files {
		_, err := p.project.FS.Stat(c.Path)
		if err == nil || slices.ContainsFunc(p.Changes, func(have journal.Change) bool { return have.Path == c.Path }) {
			return &read.Problem{File: c.Path, Text: "exists already", Fix: "move it away"}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return read.Unreadable(c.Path, err)
		}
		p.Changes = append(p.Changes, c)
	}
	slices.SortStableFunc(p.Changes, func(a, b journal.Change) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
