package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
)

// Plan is the list of file changes that make a project define a changed backend. Nothing is written before Commit.
type Plan struct {
	// Changes are sorted by path.
	Changes []journal.Change
	// Notes are sentences about further effects of the edit.
	Notes []string
	// BrokenTests are those of the notes that name an access test which the edit breaks.
	BrokenTests []string

	project *project.Project
	// state are changes of files in journal.Folder. They are written with the others and not shown.
	state []journal.Change
	// stateMatters says that state is written even if Changes is empty.
	stateMatters bool
	// takesBack says that the plan is the reverse of another.
	takesBack bool
}

// Empty reports whether there is nothing to write.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 }

// Kind returns what happens to the file of a change: create, update or delete.
func Kind(c journal.Change) string {
	switch {
	case c.Delete:
		return "delete"
	case c.Existed:
		return "update"
	}
	return "create"
}

// Diff returns the plan as one unified diff, in the form that `git apply` reads.
func (p *Plan) Diff() string {
	var b strings.Builder
	for _, c := range p.Changes {
		b.WriteString(project.Diff(c))
	}
	return b.String()
}

// StaleDiff shows what happened to the files that a refused commit was planned
// against: from what was read to what is there now. It is "" for other errors.
func StaleDiff(err error) string {
	var stale *journal.StaleError
	if !errors.As(err, &stale) {
		return ""
	}
	var b strings.Builder
	for _, f := range stale.Files {
		b.WriteString(project.Diff(journal.Change{
			Path: f.Path, Old: f.Planned, Existed: f.Existed,
			New: f.Found, Delete: !f.Exists,
		}))
	}
	return b.String()
}

func rank(c journal.Change) int {
	if c.Path == project.Native.File(model.Ref{Kind: model.KindProject}) {
		return 0
	}
	return 1
}

// Commit writes every file of the plan, or none. The error is a *journal.StaleError if a file changed since it was
// read (see StaleDiff), and a *journal.LockedError while another process writes the project.
func (p *Plan) Commit() error {
	if p.Empty() && !(p.stateMatters && len(p.state) > 0) {
		return nil
	}
	// The file by which a project is found comes first: anyone who looks for it then finishes a
	// commit that is interrupted.
	changes := slices.Clone(p.Changes)
	slices.SortStableFunc(changes, func(a, b journal.Change) int { return cmp.Compare(rank(a), rank(b)) })
	err := journal.Commit(p.project.FS, slices.Concat(changes, p.state))
	// A plan whose state matters is about the client configuration file itself, and so is one that moves it.
	if p.takesBack && !p.stateMatters && !p.movesClientFile() && onlyClientFile(err) {
		err = p.commitDefinitions()
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; see who may write to the project's folder", err)
	}
	return err
}

// CommitWhenFree is Commit, but waits for another process that writes the project, for two seconds at
// most: a sandbox writes the client configuration file after each change.
func (p *Plan) CommitWhenFree() error {
	var err error
	_ = journal.WhenFree(context.Background(), func() error {
		if err = p.Commit(); errors.Is(err, journal.ErrLocked) {
			return err
		}
		return nil
	})
	return err
}
