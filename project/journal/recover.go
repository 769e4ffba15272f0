package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/afero"
)

// Outcome is what Recover did.
type Outcome int

const (
	// Nothing says that there was no interrupted commit.
	Nothing Outcome = iota
	// Completed says that a commit was finished: every file of it is new.
	Completed
	// Discarded says that a commit was taken back: every file of it is old.
	Discarded
)

// String returns the outcome in one word.
func (o Outcome) String() string {
	switch o {
	case Completed:
		return "completed"
	case Discarded:
		return "discarded"
	default:
		return "nothing"
	}
}

// Recovery says what Recover did.
type Recovery struct {
	Outcome Outcome
	// Paths names the files of the commit, links followed. It is empty if the process
	// was killed before it wrote the list of them.
	Paths []string
}

// EditedError says that files of an interrupted commit have neither their old nor their
// new content. Recover changes nothing then, so that no edit is lost.
type EditedError struct {
	Paths []string
}

func (e *EditedError) Error() string {
	return fmt.Sprintf("%s: was edited after a change of it was interrupted; keep a copy of it, remove %s, then make "+
		"the change again",
		strings.Join(e.Paths, ", "), journalPath)
}

// Recover finishes an interrupted commit if its list was written, and discards it otherwise, so that every file of it
// is new or every file is old. Without one it looks for two files (the journal and the lock) and writes nothing.
//
// The error matches [ErrLocked] while a commit runs, and is an *EditedError if a file
// of the interrupted commit was edited since.
func Recover(fsys afero.Fs) (Recovery, error) {
	left, err := leftBehind(fsys)
	if err != nil || !left {
		return Recovery{}, err
	}
	taken, err := lockProject(fsys)
	if err != nil {
		return Recovery{}, err
	}
	done, err := recoverLocked(fsys)
	if failed := taken.Release(); failed != nil && err == nil {
		err = fmt.Errorf("the project stays locked until this program ends: %w", failed)
	}
	if err != nil {
		return Recovery{}, err
	}
	return done, nil
}

func recoverLocked(fsys afero.Fs) (Recovery, error) {
	info, err := lstat(fsys, journalPath)
	if errors.Is(err, fs.ErrNotExist) {
		return Recovery{}, nil
	}
	if err != nil {
		return Recovery{}, fmt.Errorf("look for an unfinished commit: %w", err)
	}
	if !info.IsDir() {
		return Recovery{}, fmt.Errorf("%s is not a folder; remove it", journalPath)
	}
	rec, err := load(fsys, listPath)
	if err == nil {
		return rec.recovery(), resume(fsys, rec)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Recovery{}, err
	}
	rec, err = load(fsys, donePath)
	if err == nil {
		return rec.recovery(), cleanUp(fsys, rec)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Recovery{}, err
	}
	names, err := list(fsys, journalPath)
	if err != nil {
		return Recovery{}, fmt.Errorf("look for an unfinished commit: %w", err)
	}
	if len(names) == 0 {
		return Recovery{}, sweep(fsys)
	}
	return Recovery{Outcome: Discarded}, sweep(fsys)
}

// resume finishes the commit or the roll-back of a record.
func resume(fsys afero.Fs, rec record) error {
	if err := rec.settle(fsys); err != nil {
		return fmt.Errorf("finish an interrupted change: %w; the next start of gatewright tries again", err)
	}
	if err := rec.check(fsys); err != nil {
		return err
	}
	proceed := forward
	if rec.Undo {
		proceed = undo
	}
	if err := proceed(fsys, rec); err != nil {
		return fmt.Errorf("finish an interrupted change: %w; the next start of gatewright tries again", err)
	}
	return finish(fsys, rec)
}

// check refuses a record that resume cannot finish.
func (r record) check(fsys afero.Fs) error {
	var edited []string
	for _, file := range r.Files {
		at, err := file.findState(fsys)
		if err != nil {
			return fmt.Errorf("finish an interrupted change of %s: %w", file.Path, err)
		}
		switch {
		case at == isOther:
			edited = append(edited, file.Path)
		case at == isOld && !r.Undo && file.New != "":
			err = file.checkHash(fsys, file.Staged, file.New)
		case at == isNew && r.Undo && file.Old != "":
			err = file.checkHash(fsys, file.Saved, file.Old)
		}
		if err != nil {
			return err
		}
	}
	if len(edited) > 0 {
		return &EditedError{Paths: edited}
	}
	return nil
}

func (e entry) checkHash(fsys afero.Fs, copied, want string) error {
	hash, err := sumFile(fsys, journalPath+"/"+copied)
	if err == nil && hash != want {
		err = errors.New("missing or damaged")
	}
	if err != nil {
		return fmt.Errorf("finish an interrupted change of %s: its copy %s/%s: %w; put the file right, then remove %s",
			e.Path, journalPath, copied, err, journalPath)
	}
	return nil
}

func (r record) recovery() Recovery {
	done := Recovery{Outcome: Completed}
	if r.Undo {
		done.Outcome = Discarded
	}
	for _, file := range r.Files {
		done.Paths = append(done.Paths, file.Path)
	}
	return done
}
