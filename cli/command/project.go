package command

import (
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
)

// ReadBackend reads the project that the command runs in, and neither writes nor
// recovers anything; what cannot be read is not there.
func ReadBackend(streams Streams) *model.Backend {
	nothing := &model.Backend{}
	root, layout, err := project.Find(streams.Dir)
	if err != nil {
		return nothing
	}
	fsys, err := disk.Open(root)
	if err != nil {
		return nothing
	}
	defer func() { _ = fsys.Close() }()
	p, err := project.Load(fsys, layout)
	if err != nil {
		return nothing
	}
	return p.Backend
}

// WithProject opens the project for a command that asks about what it defines, and
// refuses one that could not be read.
func WithProject(streams Streams, use func(*project.Project) error) error {
	p, err := OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if err := project.FirstError(p.Problems); err != nil {
		return err
	}
	return use(p)
}

// EditProject opens the project that the command runs in, makes a changed backend and
// plans it; renames are those among the changes.
func EditProject(streams Streams, change func(*project.Project, *model.Backend) error, renames ...project.Renamed) (*project.Project, *project.Plan, error) {
	p, err := OpenProject(streams)
	if err != nil {
		return nil, nil, err
	}
	next, err := p.Backend.Edit(func(b *model.Backend) error { return change(p, b) })
	if err == nil {
		var plan *project.Plan
		if plan, err = p.Plan(next, renames...); err == nil {
			return p, plan, nil
		}
	}
	_ = p.Close()
	return nil, nil, err
}

// OpenProject opens the project and says what was recovered.
func OpenProject(streams Streams) (*project.Project, error) {
	p, err := project.Open(streams.Dir)
	if err != nil {
		return nil, err
	}
	if text := p.Recovered(); text != "" {
		Say(streams.Err, "note: %s", text)
	}
	return p, nil
}
