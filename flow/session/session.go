// Package session is what the screens of one run share: the project that they
// are about, where drafts lie, and how a file is opened in an editor.
package session

import (
	"errors"
	"fmt"
	"path/filepath"

	"gatewright/flow/draft"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
)

// Session is one run of the program. Project is replaced when it was read anew;
// whoever replaces it runs in the screens' own goroutine.
type Session struct {
	// Dir is the folder that the program was started in.
	Dir     string
	Project *project.Project
	// New says that the project is not there yet, Stale that files were written
	// since Project was read.
	New, Stale bool
	Drafts     draft.Store
	// Editor is the command that opens a file; "" for none.
	Editor string
}

// Open starts a session in a folder: with the project that it belongs to, or
// with one that is not there yet.
func Open(dir string, getenv func(string) string) (*Session, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	folder, err := draft.Folder(getenv)
	if err != nil {
		return nil, err
	}
	s := &Session{Dir: dir, Editor: getenv("VISUAL")}
	if s.Editor == "" {
		s.Editor = getenv("EDITOR")
	}
	if s.Project, err = s.Read(); err != nil {
		return nil, err
	}
	s.New = s.Project.Root == ""
	s.Drafts = draft.In(folder, s.Root())
	return s, nil
}

// Root is the project's folder, or the one that it would be made in.
func (s *Session) Root() string {
	if s.Project.Root != "" {
		return s.Project.Root
	}
	return s.Dir
}

// NewName is the name to propose for a project that is not there yet; "" where
// there is one.
func (s *Session) NewName() string {
	if !s.New {
		return ""
	}
	return model.SuggestName(filepath.Base(s.Dir), "my-api")
}

// Read reads the project anew. It does not change the session.
func (s *Session) Read() (*project.Project, error) {
	p, err := project.Open(s.Dir)
	if !errors.Is(err, project.ErrNoProject) {
		return p, err
	}
	fsys, err := disk.Open(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	return project.New(fsys, fsys.Close), nil
}

// Take makes a project that Read gave the session's own. The one before stays
// open: a command that was started with it may still run.
func (s *Session) Take(p *project.Project) {
	s.Project, s.New, s.Stale = p, p.Root == "", false
}
