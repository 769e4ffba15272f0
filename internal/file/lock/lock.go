// Package lock lets one process at a time do something. A lock is a file that the operating system locks for
// the process that has it open (flock on Unix, LockFileEx on Windows), so it is free again however the
// process ends, kill -9 included. A file that nobody locks means nothing, whatever it contains.
//
// In network folders the lock is as good as the mount: NFS and SMB usually carry it to the server, and with
// options such as nolock, local_lock or nobrl it holds between the processes of one machine only. A
// filesystem without locks is an error, since two writers could mix their files.
package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"gatewright/internal/file"
)

const (
	pause = 5 * time.Millisecond
	// brief is how long Take tries again to take a held lock: Check holds it briefly.
	brief = 4 * pause
	// patience is how long a new holder may take to write itself into the file.
	patience = 50 * pause
)

// Lock is a lock that this process holds.
type Lock struct{ release func() error }

// Release releases the lock. A second call does nothing.
func (l *Lock) Release() error { return l.release() }

// TakePath is [Take] for the path of a file whose folder exists.
func TakePath(name string) (*Lock, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	taken, err := Take(root, filepath.Base(name))
	if err != nil {
		_ = root.Close()
		return nil, inFolder(err, name)
	}
	return &Lock{release: func() error { return errors.Join(taken.Release(), root.Close()) }}, nil
}

// CheckPath is [Check] for the path of a file.
func CheckPath(name string) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking whether %s is locked: %w", name, err)
	}
	defer func() { _ = root.Close() }()
	return inFolder(Check(root, filepath.Base(name)), name)
}

// Take takes the lock of the named file, which it makes and Release removes. The error is a *HeldError if the
// lock is held, in this process or another.
//
// The library opens the file by its path. That is made safe by the root: the file is made through it and must
// be a regular one, and what was opened must be the same file. So a link that is put there in between can
// have another file opened and locked for a moment, but neither made nor written.
func Take(root *os.Root, name string) (*Lock, error) {
	for waited := time.Duration(0); ; waited += pause {
		file, err := try(root, name, os.O_RDWR, (*flock.Flock).TryLock)
		if err == nil {
			writeHolder(root, name)
			return &Lock{release: func() error { return release(root, name, file) }}, nil
		}
		var held *HeldError
		switch {
		case !errors.As(err, &held) && !passes(err),
			held != nil && held.PID != 0 && waited >= brief,
			waited >= patience:
			return nil, err
		}
		time.Sleep(pause)
	}
}

// Check returns a *HeldError while a process holds the lock of the named file. It
// writes nothing.
func Check(root *os.Root, name string) error {
	for waited := time.Duration(0); ; waited += pause {
		file, err := try(root, name, os.O_RDONLY, (*flock.Flock).TryRLock)
		var held *HeldError
		switch {
		case err == nil:
			return file.Unlock()
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, errReplaced):
			return nil // its holder has just removed it
		case !errors.As(err, &held) && !passes(err), held != nil && held.PID != 0, waited >= patience:
			return err
		}
		time.Sleep(pause)
	}
}

// errReplaced is the error of locking a file that is no longer the one of that name,
// since its holder removed it meanwhile.
var errReplaced = errors.New("the lock file was replaced while it was being locked")

// passes reports whether locking may succeed next time.
func passes(err error) bool { return errors.Is(err, errReplaced) || file.IsInUse(err) }

// try opens the named file and locks it once, without waiting.
func try(root *os.Root, name string, flag int, attempt func(*flock.Flock) (bool, error)) (*flock.Flock, error) {
	info, err := root.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s must be a regular file, to be locked; remove it", name)
	case errors.Is(err, fs.ErrNotExist) && flag != os.O_RDONLY:
		var made *os.File
		if made, err = root.OpenFile(name, flag|os.O_CREATE, 0o644); err == nil {
			err = made.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	file := flock.New(filepath.Join(root.Name(), name), flock.SetFlag(flag))
	locked, err := attempt(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errReplaced
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return nil, fmt.Errorf("%s: its filesystem has no file locks (%w); use a folder on a local disk", name, err)
	case err != nil:
		return nil, err
	case !locked:
		return nil, readHolder(root, name)
	case !isCurrent(root, name, file):
		_ = file.Unlock()
		return nil, errReplaced
	}
	return file, nil
}

// isCurrent reports whether the locked file is the one that has its name.
func isCurrent(root *os.Root, name string, file *flock.Flock) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := root.Lstat(name)
	return err == nil && os.SameFile(opened, named)
}

// release removes the file while it is locked, so that a process that has opened it
// finds out that it was replaced. A file that cannot be removed does no harm.
func release(root *os.Root, name string, file *flock.Flock) error {
	if !file.Locked() {
		return nil
	}
	if isCurrent(root, name, file) {
		_ = root.Remove(name)
	}
	err := file.Unlock()
	if runtime.GOOS == "windows" {
		// Windows removes no open file, so this removes no file that another process locks.
		_ = root.Remove(name)
	}
	return err
}
