package course

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"gatewright/flow/session"
	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/phrase"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// Course is one run through lessons, in one folder. Its methods may be called from several
// goroutines; methods that write wait for each other.
type Course struct {
	// Dir is the project's folder.
	Dir string
	// State is the user's state folder, in which gatewright keeps what belongs to no
	// project. A course in a temporary folder has a temporary one.
	State string
	// Program is the file of the gatewright program, which runs commands.
	Program string
	// Environ is the environment of the commands; nil is that of this process.
	Environ []string
	Progress

	// temporary is the folder that Close removes; "" for none.
	temporary string
	writeMu   sync.Mutex
	mu        sync.Mutex
	// filesAtStart has the files of the folder at the start of each lesson, by its ID.
	filesAtStart map[string]fingerprints
	// background has a function for each command that runs in the background, which stops it and waits for its end.
	background []func()
}

// Begin makes the folder of a course: into, an absolute path, or a temporary folder if into
// is "". If into exists, it must be empty, and it must not be inside a project. state is
// the user's state folder, in which the progress is saved.
func Begin(into, state, program string) (*Course, error) {
	progress, err := ReadProgress(state)
	if err != nil {
		return nil, err
	}
	c := &Course{State: state, Program: program, Progress: progress, filesAtStart: make(map[string]fingerprints)}
	if into != "" {
		return c, c.useFolder(into)
	}
	if err := c.makeTemporaryFolder(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// FolderNote returns a sentence about the folder of the course.
func (c *Course) FolderNote() string {
	if c.temporary != "" {
		return "The course works in a temporary folder, which is removed when you leave."
	}
	return "The course works in " + phrase.QuotePath(c.Dir) + ", which stays when you leave."
}

// makeTemporaryFolder makes a folder that Close removes.
func (c *Course) makeTemporaryFolder() error {
	temporary, err := os.MkdirTemp("", "gatewright-learn-")
	if err != nil {
		return fmt.Errorf("creating the folder of the course: %w; set %s to a folder that you may write to, or name one "+
			"with --into", err, temporaryVariable())
	}
	c.temporary = temporary
	// The commands of the course see their folder without symbolic links.
	if temporary, err = filepath.EvalSymlinks(temporary); err == nil {
		c.Dir, c.State = filepath.Join(temporary, projectName), filepath.Join(temporary, "state")
		err = os.Mkdir(c.Dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("creating the folder of the course: %w", err)
	}
	if root, _, err := project.Find(c.Dir); err == nil {
		return fmt.Errorf("the folder for temporary files is inside the project %s; set %s to another one",
			phrase.Quote(root),
			temporaryVariable())
	}
	return nil
}

// useFolder uses a folder that a person named.
func (c *Course) useFolder(into string) error {
	shown := phrase.QuotePath(into)
	if root, _, err := project.Find(into); err == nil && root != into {
		return fmt.Errorf("%s is inside the project %s; name a folder outside of it", shown, phrase.Quote(root))
	}
	entries, err := os.ReadDir(into)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(into, 0o755)
	}
	if err == nil {
		c.Dir, err = filepath.EvalSymlinks(into)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s cannot be the folder of the course: %w", shown, err)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty (it has %s); name a folder that is empty or does not exist", shown,
			phrase.QuotePath(entries[0].Name()))
	}
	return nil
}

// Close stops the commands that run in the background, and removes a temporary folder.
func (c *Course) Close() error {
	c.stopBackground()
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	if c.temporary == "" {
		return nil
	}
	if err := file.RemoveAll(c.temporary); err != nil {
		return fmt.Errorf("removing the folder of the course: %w; remove %s yourself", err, phrase.QuotePath(c.temporary))
	}
	return nil
}

// Prepare makes the folder ready for a lesson. It keeps the files if the tasks of the earlier lessons are done in
// them. Otherwise, and if reset is true, it replaces them by the result of those lessons.
func (c *Course) Prepare(l Lesson, reset bool) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	if !reset {
		now, err := ReadSnapshot(c.Dir)
		if err != nil {
			return err
		}
		reset = slices.ContainsFunc(l.before(), func(before Lesson) bool { return len(now.Missing(before)) > 0 })
	}
	if reset {
		if err := c.clear(); err != nil {
			return err
		}
		if err := c.seed(l); err != nil {
			return err
		}
	}
	return c.recordFiles(l)
}

// recordFiles stores the files of the folder as those at the start of a lesson, once.
func (c *Course) recordFiles(l Lesson) error {
	files, err := fingerprintsOf(c.Dir)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.filesAtStart[l.ID]; !known && err == nil {
		c.filesAtStart[l.ID] = files
	}
	return err
}

// ChangedFiles returns the files that were added or changed since a lesson began, sorted.
func (c *Course) ChangedFiles(id string) ([]string, error) {
	now, err := fingerprintsOf(c.Dir)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.filesAtStart[id]
	maps.DeleteFunc(now, func(name string, print [sha256.Size]byte) bool { return before[name] == print })
	return slices.Sorted(maps.Keys(now)), nil
}

// fingerprints has the hash of each file of a folder.
type fingerprints map[string][sha256.Size]byte

// fingerprintsOf reads the files of a folder. A file that is removed meanwhile is left out.
func fingerprintsOf(dir string) (fingerprints, error) {
	files := make(fingerprints)
	folder := os.DirFS(dir)
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case entry.IsDir() && (entry.Name() == project.StateFolder || fingerprint.IsGenerated(entry.Name())):
			return fs.SkipDir
		case entry.Type().IsRegular():
			var data []byte
			if data, err = fs.ReadFile(folder, name); err == nil {
				files[name] = sha256.Sum256(data)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the folder of the course: %w", err)
	}
	return files, nil
}

// clear empties the folder. It is an error if a sandbox runs there, which would lose its files.
func (c *Course) clear() error {
	c.stopBackground()
	if _, err := sandbox.Connect(live.State(c.Dir)); err == nil {
		return errors.New("a sandbox runs in the folder of the course; stop it, then start the lesson over")
	}
	entries, err := os.ReadDir(c.Dir)
	for _, entry := range entries {
		err = errors.Join(err, file.RemoveAll(filepath.Join(c.Dir, entry.Name())))
	}
	if err != nil {
		return fmt.Errorf("emptying the folder of the course: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.filesAtStart)
	return nil
}

// seed writes the result of the earlier lessons, and chooses the first environment.
func (c *Course) seed(l Lesson) error {
	b, err := l.Seed()
	if err != nil || b.Project.Name == "" {
		return err
	}
	named := b.Project
	named.ApplicationID = project.NewApplicationID()
	if err := edit.SetProject(b, named); err != nil {
		return err
	}
	err = c.commit(func(p *project.Project) (*plan.Plan, error) { return plan.Of(p, b) })
	if err != nil || len(b.Environments) == 0 {
		return err
	}
	return c.commit(func(p *project.Project) (*plan.Plan, error) { return plan.Use(p, b.Environments[0].Name) })
}

// commit writes a plan for the project as it is now.
func (c *Course) commit(plan func(*project.Project) (*plan.Plan, error)) error {
	p, err := (&session.Session{Dir: c.Dir}).Read()
	if err != nil {
		return fmt.Errorf("opening the folder of the course: %w", err)
	}
	planned, err := plan(p)
	if err == nil {
		err = planned.Commit()
	}
	return errors.Join(err, p.Close())
}

// temporaryVariable is the name of the variable that names the folder for temporary files.
func temporaryVariable() string {
	if runtime.GOOS == "windows" {
		return "TMP"
	}
	return "TMPDIR"
}
