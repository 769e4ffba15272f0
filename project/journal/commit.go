// Package journal writes several files of a project all or none: whatever is
// interrupted, killed processes included, is finished or taken back by Recover.
//
// In [Folder] a commit puts the new contents and copies of the old ones into
// the folder journal, then a list of them, journal.json, by a rename: that is
// the moment from which the commit counts. Only then are files of the project
// replaced. A roll-back is decided by the same kind of rename, and the end of
// either by renaming the list to done.json, so that at every moment the list on
// disk says which way to go on.
package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/spf13/afero"
)

// Folder is where lock and journal are while a commit runs. It is made on
// demand, with a .gitignore that keeps all of it out of version control.
const Folder = ".gatewright"

// State lists the files in Folder that belong to the state of the project, and
// change with its files or not at all.
var State = []string{Folder + "/client.json", Folder + "/environment"}

// Change is one file of a commit.
type Change struct {
	// Path is slash-separated and relative to the project folder. It has no
	// "." or "..", backslash, drive letter or control character, and is neither
	// in Folder, but for State, nor in a .git folder. A link is followed to the file that it
	// stands for, which must be inside the project.
	Path string
	// Old is the content that the change was planned against; it has no
	// meaning unless Existed.
	Old []byte
	// Existed says whether the file was there when the change was planned.
	Existed bool
	// New is the content that is wanted, ignored when Delete.
	New []byte
	// Mode are the permission bits of a new file; 0 is 0644 less the umask.
	Mode fs.FileMode
	// Delete says that the file is to go, and with it each folder that this
	// empties. A link is not deleted: that is an error.
	Delete bool
}

// Commit makes all the changes or none. The names are relative to the root of
// fsys, which is the project folder.
//
// A file that already is as wanted is skipped; when all are, nothing is
// written, not even Folder. Otherwise, if a file is not as it was planned
// against, the error is a *StaleError and nothing is written. While another
// Commit or Recover runs, in this process or another, the error matches
// [ErrLocked]. A commit that a killed process left behind is recovered first,
// which may end in an *EditedError.
//
// After any error the files are as they were before, except when its text
// says that they are written or that the next start finishes the rest.
// A replaced file keeps its permission bits.
func Commit(fsys afero.Fs, changes []Change) (err error) {
	if err := checkPaths(changes); err != nil {
		return err
	}
	left, err := leftBehind(fsys)
	if err != nil {
		return err
	}
	if !left {
		todo, err := survey(fsys, changes)
		if err != nil || len(todo) == 0 {
			return err
		}
	}
	taken, err := lockProject(fsys)
	if err != nil {
		return err
	}
	defer func() {
		if failed := taken.Release(); failed != nil && err == nil {
			err = fmt.Errorf("the files are written, but the project stays locked until this program ends: %w", failed)
		}
	}()
	return commitLocked(fsys, changes)
}

func commitLocked(fsys afero.Fs, changes []Change) error {
	if _, err := recoverLocked(fsys); err != nil {
		return err
	}
	todo, err := survey(fsys, changes)
	if err != nil || len(todo) == 0 {
		return err
	}
	rec, err := stage(fsys, todo)
	if err != nil {
		// The journal folder has no list, or one that nothing was done for:
		// what cannot be swept now is discarded by the next Recover.
		_ = sweep(fsys)
		return unchanged(err)
	}
	if err := forward(fsys, rec); err != nil {
		return rollBack(fsys, rec, changes, err)
	}
	if err := finish(fsys, rec); err != nil {
		return fmt.Errorf("the files are written, but the journal stays: %w; the next start of gatewright removes it", err)
	}
	return nil
}

// rollBack puts the old files back after forward stopped with cause.
func rollBack(fsys afero.Fs, rec record, changes []Change, cause error) error {
	rec.Undo = true
	err := rec.write(fsys)
	if err == nil {
		err = undo(fsys, rec)
	}
	if err == nil {
		err = finish(fsys, rec)
	}
	if err != nil {
		return fmt.Errorf("%w; putting the old files back failed too: %w; the next start of gatewright finishes it", cause, err)
	}
	if _, edited := errors.AsType[*EditedError](cause); edited {
		if _, stale := survey(fsys, changes); stale != nil {
			return stale
		}
	}
	return unchanged(cause)
}

func unchanged(err error) error { return fmt.Errorf("%w; no file was changed", err) }

// leftBehind reports whether a commit runs or left its journal or lock.
func leftBehind(fsys afero.Fs) (bool, error) {
	for _, name := range []string{journalPath, lockPath} {
		_, err := fsys.Stat(name)
		if err == nil {
			return true, nil
		}
		// The order counts: where a folder is missing Windows says
		// ERROR_PATH_NOT_FOUND, which Go calls ENOTDIR and takes for ErrNotExist too.
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, syscall.ENOTDIR):
			return false, errNoFolder
		default:
			return false, fmt.Errorf("look for an unfinished commit: %w", err)
		}
	}
	return false, nil
}
