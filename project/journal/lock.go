package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/spf13/afero"

	"gatewright/internal/file/lock"
)

const (
	lockPath   = Folder + "/lock"
	ignorePath = Folder + "/.gitignore"
)

var errNoFolder = errors.New(Folder + " must be a folder, not a link; move it away")

// ErrLocked is matched by the error of a call while another process, or another call of this one, has the lock.
var ErrLocked = lock.ErrHeld

// LockedError says which process has the lock. It matches [ErrLocked].
type LockedError = lock.HeldError

// locker is a filesystem with locks that exclude other processes: disk.FS. All other filesystems are in memory.
type locker interface {
	Lock(name string) (*lock.Lock, error)
	CheckLock(name string) error
}

// memoryKey is the key of a lock of a filesystem in memory.
type memoryKey struct {
	fsys afero.Fs
	name string
}

// Hold takes the lock of that name, a path in [Folder], for work that takes longer than a commit, which has its own
// lock. The error is a *LockedError while the lock is held. The lock of a killed process is free.
func Hold(fsys afero.Fs, name string) (*lock.Lock, error) {
	if err := makeFolder(fsys); err != nil {
		return nil, err
	}
	name = path.Join(Folder, name)
	if err := fsys.MkdirAll(path.Dir(name), 0o755); err != nil {
		return nil, fmt.Errorf("create the folder for %s: %w", name, err)
	}
	if real, ok := fsys.(locker); ok {
		return real.Lock(name)
	}
	return lock.TakeInProcess(memoryKey{fsys, name}, name)
}

// Busy returns a *LockedError while the lock of that name, a path in Folder, is held.
func Busy(fsys afero.Fs, name string) error {
	name = path.Join(Folder, name)
	if real, ok := fsys.(locker); ok {
		return real.CheckLock(name)
	}
	return lock.CheckInProcess(memoryKey{fsys, name})
}

// lockProject takes the lock of commits. The error matches ErrLocked while it is held.
func lockProject(fsys afero.Fs) (*lock.Lock, error) {
	taken, err := Hold(fsys, path.Base(lockPath))
	if err != nil {
		return nil, fmt.Errorf("lock the project: %w", err)
	}
	return taken, nil
}

func makeFolder(fsys afero.Fs) error {
	info, err := lstat(fsys, Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := fsys.Mkdir(Folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("create the folder for lock and journal: %w", err)
		}
		if err := syncFolders(fsys, "."); err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("look at %s: %w", Folder, err)
	case !info.IsDir():
		return errNoFolder
	}
	info, err = lstat(fsys, ignorePath)
	if err == nil && info.Size() > 0 {
		return nil
	}
	if err := afero.WriteFile(fsys, ignorePath, []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("keep %s out of version control: %w", Folder, err)
	}
	return nil
}
