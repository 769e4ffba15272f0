package course

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/sandbox"
)

// Course is one run through lessons, in one folder. Its methods may be called
// from several goroutines; those that write follow one another.
type Course struct {
	// Dir is the project's folder, Private says that it is removed at the end.
	Dir     string
	Private bool
	// State is the folder of what the program keeps for a user beside the project:
	// a private one in a private course, so that nothing of it is left.
	State string
	// Program is the program's own file, which runs commands.
	Program string
	Progress

	// temporary is what is removed at the end; "" for nothing.
	temporary string
	writing   sync.Mutex
	notes     sync.Mutex
	// began is what the folder had when each lesson began: file to fingerprint.
	began map[string]map[string]string
	// background are commands that go on running.
	background []*process
}

// Begin makes the folder of a course: into, or where that is "" one that is
// removed at the end. into may be there if it is empty, and lies in no project.
// state is the user's state folder, in which the progress is kept.
func Begin(into, state, program string) (*Course, error) {
	c := &Course{State: state, Program: program, began: make(map[string]map[string]string)}
	var err error
	if c.Progress, err = ReadProgress(state); err != nil {
		return nil, err
	}
	if into != "" {
		if c.Dir, err = filepath.Abs(into); err != nil {
			return nil, fmt.Errorf("finding the folder of the course: %w", err)
		}
		return c, c.takeFolder(into)
	}
	c.Private = true
	if c.temporary, err = os.MkdirTemp("", "gatewright-learn-"); err != nil {
		return nil, fmt.Errorf("making the folder of the course: %w; set TMPDIR to a folder that you may write to, or name one with --into", err)
	}
	// A link on the way would not be the folder that the project says it is in.
	if c.temporary, err = filepath.EvalSymlinks(c.temporary); err != nil {
		return nil, fmt.Errorf("making the folder of the course: %w", err)
	}
	c.Dir, c.State = filepath.Join(c.temporary, projectName), filepath.Join(c.temporary, "state")
	if err := os.Mkdir(c.Dir, 0o700); err != nil {
		return nil, errors.Join(fmt.Errorf("making the folder of the course: %w", err), c.Close())
	}
	if root, _, err := project.Find(c.Dir); err == nil {
		return nil, errors.Join(fmt.Errorf("the folder for temporary files is inside the project %s; set TMPDIR to another one", model.Quote(root)), c.Close())
	}
	return c, nil
}

// takeFolder takes a folder that a person named.
func (c *Course) takeFolder(into string) error {
	shown := project.QuotePath(into)
	if root, _, err := project.Find(c.Dir); err == nil && root != c.Dir {
		return fmt.Errorf("%s is inside the project %s; name a folder outside of it", shown, model.Quote(root))
	}
	entries, err := os.ReadDir(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(c.Dir, 0o755); err != nil {
			return fmt.Errorf("making the folder of the course: %w", err)
		}
	case err != nil:
		return fmt.Errorf("%s cannot be the folder of the course: %w", shown, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty (%s is in it); name a folder that is empty or not there", shown, project.QuotePath(entries[0].Name()))
	}
	dir, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		return fmt.Errorf("%s cannot be the folder of the course: %w", shown, err)
	}
	c.Dir = dir
	return nil
}

// Close ends what runs and removes a private folder.
func (c *Course) Close() error {
	c.endAll()
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.temporary == "" {
		return nil
	}
	if err := os.RemoveAll(c.temporary); err != nil {
		return fmt.Errorf("removing the folder of the course: %w; remove it: %s", err, project.QuotePath(c.temporary))
	}
	c.temporary = ""
	return nil
}

// Prepare makes the folder one that a lesson can begin in. What is there stays if
// it does what the lessons before ask for; otherwise, and where anew is true, it
// is replaced by what they would have left.
func (c *Course) Prepare(l Lesson, anew bool) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	if !anew {
		standing, err := Stand(c.Dir)
		if err != nil {
			return err
		}
		if standing.follows(l) {
			return c.begin(l, false)
		}
	}
	if err := c.clear(); err != nil {
		return err
	}
	if err := c.seed(l); err != nil {
		return err
	}
	return c.begin(l, true)
}

// follows reports whether the lessons before one are done. What they left beside
// the files, such as a push, is not asked for.
func (s Standing) follows(l Lesson) bool {
	for _, before := range Lessons() {
		if before.ID == l.ID {
			break
		}
		if len(s.Missing(before)) > 0 {
			return false
		}
	}
	return true
}

// begin notes what the folder has; again replaces what was noted before.
func (c *Course) begin(l Lesson, again bool) error {
	c.notes.Lock()
	_, known := c.began[l.ID]
	c.notes.Unlock()
	if known && !again {
		return nil
	}
	files, err := fingerprints(c.Dir)
	if err != nil {
		return err
	}
	c.notes.Lock()
	defer c.notes.Unlock()
	if again {
		// What was noted of the other lessons is of files that are gone.
		clear(c.began)
	}
	c.began[l.ID] = files
	return nil
}

// Made are the files that came or changed since a lesson began, sorted.
func (c *Course) Made(id string) ([]string, error) {
	now, err := fingerprints(c.Dir)
	if err != nil {
		return nil, err
	}
	c.notes.Lock()
	before := maps.Clone(c.began[id])
	c.notes.Unlock()
	return changed(before, now), nil
}

// clear empties the folder. A sandbox that somebody runs there would lose what it
// stands on.
func (c *Course) clear() error {
	c.endAll()
	if _, err := sandbox.Connect(deploy.SandboxState(c.Dir)); err == nil {
		return errors.New("a sandbox runs in the folder of the course: end it first, then begin anew")
	}
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return fmt.Errorf("emptying the folder of the course: %w", err)
	}
	for _, entry := range entries {
		if err := os.RemoveAll(filepath.Join(c.Dir, entry.Name())); err != nil {
			return fmt.Errorf("emptying the folder of the course: %w", err)
		}
	}
	return nil
}

// seed writes what the lessons before one leave.
func (c *Course) seed(l Lesson) error {
	b, err := Seed(l.ID)
	if err != nil || b.Project.Name == "" {
		return err
	}
	b, err = b.Edit(func(b *model.Backend) error {
		named := b.Project
		named.ApplicationID = project.NewApplicationID()
		return b.SetProject(named)
	})
	if err != nil {
		return err
	}
	fsys, err := disk.Open(c.Dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the course: %w", err)
	}
	p := project.New(fsys, fsys.Close)
	plan, err := p.Plan(b)
	if err == nil {
		err = plan.Commit()
	}
	return errors.Join(err, p.Close())
}

// SaveEvent writes the event of a lesson's function.
func (c *Course) SaveEvent(l Lesson, text string) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	fsys, err := disk.Open(c.Dir)
	if err != nil {
		return fmt.Errorf("opening the folder of the course: %w", err)
	}
	defer func() { _ = fsys.Close() }()
	file, err := fsys.OpenFile(EventFile(project.Native, l.Event), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("saving the event: %w", err)
	}
	_, err = file.WriteString(strings.TrimRight(text, "\n") + "\n")
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("saving the event: %w", err)
	}
	return nil
}
