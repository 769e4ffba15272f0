// Package validation validates the project for the screens: what they show is what the command
// validate prints. A project whose files did not change is not validated again.
package validation

import (
	"errors"
	"sync"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/read"
	"gatewright/project/validate"
)

// Report is what was found in a project. It is not changed afterwards.
type Report struct {
	// Layout is where the files of the project are.
	Layout project.Layout
	// Problems are all, as validate finds them, and Groups are the same with those of one rule summed up.
	Problems []*read.Problem
	Groups   []read.Group
	// Errors, Warnings and Notes count them by level.
	Errors, Warnings, Notes int
	// None says that there is no project. Err is why there is one that could not be validated.
	None bool
	Err  error
	// At is when it was found, and Number counts the reports of a Checker.
	At     time.Time
	Number int
}

// Checker validates the project that a folder is in. Several goroutines may use it.
type Checker struct {
	dir string
	now func() time.Time

	mu    sync.Mutex
	print string
	last  *Report
}

// New makes the checker of the project that dir is in, or that is made there later. now tells the time.
func New(dir string, now func() time.Time) *Checker { return &Checker{dir: dir, now: now} }

// Check validates the project, if files changed since it was last asked. It reads only, and
// takes a while for a large project.
func (c *Checker) Check() *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && project.PrintOf(c.dir) == c.print {
		return c.last
	}
	var r *Report
	c.print = project.Steady(c.dir, func() { r = validated(c.dir) })
	r.At = c.now()
	if c.last != nil {
		r.Number = c.last.Number + 1
	}
	c.last = r
	return r
}

// validated reads the project as it is on disk, and validates it.
func validated(dir string) *Report {
	root, layout, err := project.Find(dir)
	if err != nil {
		return &Report{None: errors.Is(err, project.ErrNoProject), Err: err}
	}
	p, _, err := project.LoadReadOnly(root, layout)
	if err != nil {
		return &Report{Layout: layout, Err: err}
	}
	defer func() { _ = p.Close() }()
	r := &Report{Layout: layout, Problems: validate.Project(p)}
	r.Groups = read.Grouped(r.Problems)
	for _, problem := range r.Problems {
		switch problem.Level {
		case model.Error:
			r.Errors++
		case model.Warning:
			r.Warnings++
		case model.Note:
			r.Notes++
		}
	}
	return r
}
