// Package session is what the screens of one run share: the project that they
// are about, where drafts lie, and how a file is opened in an editor.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gatewright/flow"
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

// WrittenMsg is announced to every page when files of the project were written.
type WrittenMsg struct{}

// DraftedMsg is announced to every page when the answers of a walk were kept.
type DraftedMsg struct{}

// Open starts a session in a folder: with the project that it belongs to, or
// with one that is not there yet.
func Open(dir string, getenv func(string) string) (*Session, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	state, err := project.UserState(getenv)
	if err != nil {
		return nil, err
	}
	s := &Session{Dir: dir, Editor: cmp.Or(getenv("VISUAL"), getenv("EDITOR"))}
	p, err := s.Read()
	if err != nil {
		return nil, err
	}
	s.Take(p)
	s.Drafts = draft.In(filepath.Join(state, "drafts"), s.Root())
	return s, nil
}

// Root is the project's folder, or the one that it would be made in.
func (s *Session) Root() string { return cmp.Or(s.Project.Root, s.Dir) }

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

// Plan works out what the answers of a walk mean for a project's files. A project
// that is not there yet gets its application id.
func Plan(p *project.Project, walk *flow.Flow) (*model.Backend, *project.Plan, error) {
	next, err := walk.Backend()
	if err != nil {
		return nil, nil, err
	}
	if walk.NewProject != "" {
		next.Project.ApplicationID = project.NewApplicationID()
	}
	plan, err := p.Plan(next)
	return next, plan, err
}

// Draft is what is kept of a walk over a project. It reads every file of the
// project once more, in memory.
func Draft(p *project.Project, walk *flow.Flow) draft.Draft {
	return draft.Draft{Saved: time.Now(), Task: walk.Task, Answers: walk.Answers(), Read: p.Fingerprint()}
}

// Kept is a draft that was read.
type Kept struct {
	draft.Draft
	// Changed says that the project did since the draft was saved.
	Changed bool
}

// Kept is the draft that is kept for the project; nil for none.
func (s *Session) Kept(of *project.Project) (*Kept, error) {
	d, ok, err := s.Drafts.Load()
	if !ok {
		return nil, err
	}
	return &Kept{d, of != nil && d.Read != of.Fingerprint()}, err
}

// String says of when a draft is, and of what.
func (k *Kept) String() string {
	text := "of " + k.Saved.Local().Format("2 Jan 15:04")
	if label := k.Answers.Label; k.Task.API == "" && label != "" {
		text += ", api " + model.Quote(label)
	}
	if k.Changed {
		text += "; the project changed since"
	}
	return text
}

// NoEditor is why no file can be opened in an editor; "" where one can.
func (s *Session) NoEditor() string {
	if strings.TrimSpace(s.Editor) == "" {
		return "set EDITOR to the command of your editor"
	}
	return ""
}

// Edit is the command that opens a file in the editor. The name of one of the project is
// relative to its folder.
func (s *Session) Edit(name string) *exec.Cmd {
	if !filepath.IsAbs(name) {
		name = filepath.Join(s.Root(), filepath.FromSlash(name))
	}
	words := strings.Fields(s.Editor)
	return exec.Command(words[0], append(words[1:], name)...)
}
