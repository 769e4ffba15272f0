package command

import (
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/read"
	"gatewright/sandbox/live"
)

// ReadBackend reads the backend of the project that the command runs in, and writes and
// recovers nothing. If it cannot be read, the backend is empty.
func ReadBackend(streams Streams) *model.Backend {
	backend := &model.Backend{}
	_ = ReadProject(streams, func(p *project.Project, _ string) error {
		backend = p.Backend
		return nil
	})
	return backend
}

// ReadProject reads the project that the command runs in, as it is, and calls use with it and
// its folder. It writes and recovers nothing.
func ReadProject(streams Streams, use func(p *project.Project, root string) error) error {
	root, layout, err := project.Find(streams.Dir)
	if err != nil {
		return err
	}
	fsys, err := disk.Open(root)
	if err != nil {
		return err
	}
	defer func() { _ = fsys.Close() }()
	p, err := project.Load(fsys, layout)
	if err != nil {
		return err
	}
	return use(p, root)
}

// CheckName returns an error for a name that the project does not have; none for "".
func CheckName(streams Streams, kind model.Kind, name string) error {
	if name == "" {
		return nil
	}
	return ReadBackend(streams).Known(model.Ref{Kind: kind, Name: name})
}

// WithProject opens the project and calls use with it. A project with an error is refused.
func WithProject(streams Streams, use func(*project.Project) error) error {
	p, err := OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if err := read.FirstError(p.Problems); err != nil {
		return err
	}
	return use(p)
}

// WithServed is WithProject for commands that use what a sandbox serves: of what has an error, it serves
// the rest.
func WithServed(streams Streams, use func(*project.Project) error) error {
	return WithServedBefore(streams, func(p *project.Project, broken error) error {
		if broken != nil {
			return broken
		}
		return use(p)
	})
}

// WithServedBefore is WithServed for what needs only what a sandbox serves, which stays as it was while the
// rest cannot be served. broken is why; the project then is what could be read.
func WithServedBefore(streams Streams, use func(p *project.Project, broken error) error) error {
	p, err := OpenProject(streams)
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if read.FirstError(p.Problems) != nil {
		_, err = live.LeaveOut(p)
	}
	return use(p, err)
}

// OpenProject opens the project, and notes what was recovered.
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
