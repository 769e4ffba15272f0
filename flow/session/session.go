// Package session is what all screens share while the program runs: the project, the
// store of drafts, and the editor that opens files.
package session

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gatewright/flow"
	"gatewright/flow/draft"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

// Session is what the screens share. Only the goroutine of the screens replaces Project, after it was read again.
type Session struct {
	// Dir is the folder that the program was started in.
	Dir     string
	Project *project.Project
	// New says that the project does not exist yet, Stale that files were written after Project was read.
	New, Stale bool
	Drafts     draft.Store
	// State is the user's state folder.
	State string
	// Editor is the command that opens a file; "" for none.
	Editor string
	// First is the request that the dashboard sends when it is opened next, in a sandbox that it
	// starts if none runs; nil for none.
	First *Call
	// Unseen says that the wizard has written files, and the dashboard was not shown since.
	Unseen bool
}

// WrittenMsg tells every page that files of the project were written.
type WrittenMsg struct{}

// DraftedMsg tells every page that a draft was saved.
type DraftedMsg struct{}

// Open starts a session for the project that the folder belongs to, or for a new project in it.
func Open(dir string, getenv func(string) string) (*Session, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder: %w", err)
	}
	state, err := project.UserState(getenv)
	if err != nil {
		return nil, err
	}
	s := &Session{
		Dir: dir, State: state,
		Editor: cmp.Or(strings.TrimSpace(getenv("VISUAL")), strings.TrimSpace(getenv("EDITOR"))),
	}
	if s.Editor == "" && getenv("PATH") != "" {
		s.Editor = findEditor()
	}
	p, err := s.Read()
	if err != nil {
		return nil, err
	}
	s.Take(p)
	s.Drafts = draft.In(filepath.Join(state, "drafts"), s.Root())
	return s, nil
}

// Root returns the folder of the project, or the folder in which it would be made.
func (s *Session) Root() string { return cmp.Or(s.Project.Root, s.Dir) }

// NewName returns the name to propose for a new project; "" if the project exists.
func (s *Session) NewName() string {
	if !s.New {
		return ""
	}
	return model.SuggestName(filepath.Base(s.Dir), "my-api")
}

// Read reads the project again. It does not change the session.
func (s *Session) Read() (*project.Project, error) {
	p, err := project.Open(s.Dir)
	if !errors.Is(err, project.ErrNoProject) {
		return p, err
	}
	fsys, failed := disk.Open(s.Dir)
	if failed != nil {
		return nil, fmt.Errorf("opening the folder: %w", failed)
	}
	fresh := project.New(fsys, fsys.Close)
	fresh.Seen = project.Seen(err)
	return fresh, nil
}

// Take makes p, which Read returned, the project of the session. The previous one
// stays open, because commands that were started with it may still run.
func (s *Session) Take(p *project.Project) {
	s.Project, s.New, s.Stale = p, p.Root == "", false
}

// Plan returns the backend that the answers make, and the plan that writes it. A new project gets its application id.
func Plan(p *project.Project, f *flow.Flow) (*model.Backend, *plan.Plan, error) {
	next, err := f.Backend()
	if err != nil {
		return nil, nil, err
	}
	if f.NewProject != "" {
		next.Project.ApplicationID = project.NewApplicationID()
	}
	plan, err := plan.Of(p, next)
	return next, plan, err
}

// Draft returns the draft of a run of the wizard. It hashes every file of the project as it was read.
func Draft(p *project.Project, f *flow.Flow) draft.Draft {
	return draft.Draft{Saved: time.Now(), Task: f.Task, Answers: f.Answers(), Read: p.Fingerprint()}
}

// SavedDraft is a draft that was read from its file.
type SavedDraft struct {
	draft.Draft
	// Changed says that the project has changed since the draft was saved.
	Changed bool
}

// SavedDraft reads the draft that was saved for the project; nil if there is none.
func (s *Session) SavedDraft(of *project.Project) (*SavedDraft, error) {
	d, ok, err := s.Drafts.Load()
	if !ok {
		return nil, err
	}
	return &SavedDraft{d, of != nil && d.Read != of.Fingerprint()}, err
}

// String says when the draft was saved, and for which new API.
func (d *SavedDraft) String() string {
	text := "of " + clock.Moment(d.Saved)
	if label := d.Answers.Label; d.Task.API == "" && label != "" {
		text += ", API " + phrase.Quote(label)
	}
	if d.Changed {
		text += "; the project has changed since"
	}
	return text
}

// NoEditor says why no file can be opened in an editor; "" if one can.
func (s *Session) NoEditor() string {
	if s.EditorName() == "" {
		return "set EDITOR to the command of your editor"
	}
	return ""
}
