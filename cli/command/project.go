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

// CheckName refuses the name of a thing that the project here does not have; ""
// names nothing.
func CheckName(streams Streams, kind model.Kind, name string) error {
	if name == "" {
		return nil
	}
	return ReadBackend(streams).Known(model.Ref{Kind: kind, Name: name})
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
