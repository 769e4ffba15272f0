// Package journal writes several files of a project, all or none. Recover finishes or
// takes back a commit that was interrupted, also by a kill.
//
// A commit puts the new contents and copies of the old ones into the folder journal in
// [Folder]. Then it renames a list of them to journal.json: from that moment the
// commit counts, and only then it replaces files of the project. A roll-back begins with the same kind of rename.
// Commit and roll-back end by renaming the list to done.json, so the list on disk always says how to go on.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"syscall"

	"github.com/spf13/afero"
)

// Folder has the lock and the journal while a commit runs. It is made on demand, with
// a .gitignore that keeps all of it out of version control.
const Folder = ".gatewright"

// State lists the files in Folder that a commit may change, together with files of the project.
var State = []string{Folder + "/client.json", Folder + "/environment", Folder + "/profiles.json"}

// SchemaFolder is the folder in Folder for the schemas that editors read. A commit may change the JSON files in it.
const SchemaFolder = Folder + "/schemas"

// Change is one file of a commit.
type Change struct {
	// Path is slash-separated and relative to the project folder. It has no "." or "..", backslash, drive letter or
	// control character, and is neither in Folder, except State and SchemaFolder, nor in a .git folder. A link is
	// followed to its target, which must be inside the project.
	Path string
	// Old is the content of the file when the change was planned, if Existed.
	Old []byte
	// Existed says whether the file was there when the change was planned.
	Existed bool
	// New is the new content, ignored if Delete.
	New []byte
	// Mode are the permission bits of a new file; 0 is 0644 less the umask.
	Mode fs.FileMode
	// Delete says that the file is deleted, and each folder that becomes empty. To delete a link is an error.
	Delete bool
}

// Commit makes all the changes or none. The root of fsys is the project folder.
//
// A file that already has the wanted content is skipped; if all have it, nothing is written, not even Folder. If
// another file changed since the changes were planned, the error is a *StaleError and nothing is written. While
// another Commit or Recover runs, in this process or another, the error matches [ErrLocked]. An interrupted commit is
// recovered first, for which the error may be an *EditedError.
//
// After any error the files are as before, unless its text says that they are written
// or that the next start finishes the rest. A replaced file keeps its permission bits.
func Commit(fsys afero.Fs, changes []Change) (err error) {
	if err := checkPaths(changes); err != nil {
		return err
	}
	left, err := leftBehind(fsys)
	if err != nil {
		return err
	}
	if !left {
		recased, names, err := recase(fsys, changes)
		if err != nil {
			return err
		}
		todo, err := survey(fsys, recased)
		if err != nil || len(todo) == 0 && len(names) == 0 {
			return err
		}
	}
	if _, none := lstat(fsys, Folder); errors.Is(none, fs.ErrNotExist) {
		defer func() {
			if err != nil {
				removeFolder(fsys)
			}
		}()
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
	changes, names, err := recase(fsys, changes)
	if err != nil {
		return err
	}
	todo, err := survey(fsys, changes)
	if err != nil || len(todo) == 0 && len(names) == 0 {
		return err
	}
	rec, err := stage(fsys, todo, names)
	if err != nil {
		// No file was replaced yet. The next Recover discards what cannot be swept now.
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

// rollBack puts the old files back after forward failed with cause.
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
		return fmt.Errorf("%w; putting the old files back failed too: %w; the next start of gatewright finishes it", cause,
			err)
	}
	if _, edited := errors.AsType[*EditedError](cause); edited {
		if _, stale := survey(fsys, changes); stale != nil {
			return stale
		}
	}
	return unchanged(cause)
}

func unchanged(err error) error { return fmt.Errorf("%w; no file was changed", err) }

// removeFolder removes Folder, unless a journal is in it or another process uses it.
func removeFolder(fsys afero.Fs) {
	if left, err := leftBehind(fsys); err == nil && !left {
		_ = fsys.Remove(ignorePath)
		// This fails, as intended, if something else is in it.
		_ = fsys.Remove(Folder)
	}
}

// Unfinished reports whether a commit was interrupted, which Recover would finish or take
// back. It waits for one that runs, and writes nothing.
func Unfinished(fsys afero.Fs) bool {
	_ = WhenFree(context.Background(), func() error { return Busy(fsys, path.Base(lockPath)) })
	_, err := lstat(fsys, journalPath)
	return err == nil
}

// leftBehind reports whether there is a journal or a lock file: of a running commit or of an interrupted one.
func leftBehind(fsys afero.Fs) (bool, error) {
	for _, name := range []string{journalPath, lockPath} {
		_, err := fsys.Stat(name)
		if err == nil {
			return true, nil
		}
		// The order counts: for a missing folder Windows returns
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
