// Package disk provides a project folder as an afero.Fs that no "..", no absolute name
// and no symbolic link leads out of.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/afero"

	"gatewright/internal/file"
	"gatewright/internal/file/lock"
)

var (
	_ afero.Fs         = (*FS)(nil)
	_ afero.Lstater    = (*FS)(nil)
	_ afero.LinkReader = (*FS)(nil)
)

// FS is one folder and everything below it, by an [os.Root]. It is safe for concurrent
// use. Files that another program has open for a moment are waited for.
//
// Names are slash-separated and relative; leading slashes and the empty name mean the folder itself. Links are
// followed if they stay inside; a link with an absolute target counts as one that leads out. Errors are *fs.PathError
// or *os.LinkError with names relative to the folder, and match [ErrOutside] when the name or a link leads out of it.
type FS struct {
	root *os.Root
	// escape is the unexported error of os.Root for a name that leaves the folder.
	escape error
}

// Open opens the folder dir. The caller closes it.
func Open(dir string) (*FS, error) {
	root, err := file.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the project folder: %w", err)
	}
	_, err = root.Lstat("..")
	var outside *fs.PathError
	if !errors.As(err, &outside) {
		root.Close()
		return nil, fmt.Errorf("open the project folder %s: this system cannot confine file names to it", dir)
	}
	return &FS{root: root, escape: outside.Err}, nil
}

// Close closes the folder. Open files stay usable; every other call fails from then on
// with an error that matches fs.ErrClosed.
func (f *FS) Close() error { return f.root.Close() }

// Name returns the kind of filesystem, for afero. It is not the folder.
func (f *FS) Name() string { return "disk" }

// Create makes the named file, or empties it, and opens it for reading and writing.
func (f *FS) Create(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens the named file or folder for reading. Sync on an opened folder makes the names in it durable where the
// system can. A pipe, a socket or a device is refused: reading it could wait for ever.
func (f *FS) Open(name string) (afero.File, error) {
	return f.OpenFile(name, os.O_RDONLY, 0)
}

// OpenFile opens the named file with the flags of package os; a file that it
// makes gets the permission bits of perm, less the umask.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	name = inside(name)
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		// A pipe would wait for somebody who writes into it.
		if info, err := f.root.Stat(name); err == nil && !file.IsRegular(info) {
			return nil, &fs.PathError{Op: "open", Path: name, Err: file.ErrNotRegular}
		}
	}
	var opened *os.File
	err := file.Retry(func() (err error) {
		opened, err = f.root.OpenFile(name, flag, perm.Perm())
		return err
	})
	if err != nil {
		return nil, f.pathError("open", err)
	}
	return &openFile{os: opened, name: name}, nil
}

// Mkdir makes one folder with the permission bits of perm, less the umask.
func (f *FS) Mkdir(name string, perm fs.FileMode) error {
	return f.pathError("mkdir", f.root.Mkdir(inside(name), perm.Perm()))
}

// MkdirAll makes a folder and those above it that are missing.
func (f *FS) MkdirAll(name string, perm fs.FileMode) error {
	return f.pathError("mkdir", f.root.MkdirAll(inside(name), perm.Perm()))
}

// Remove removes a file, a link (not what it points to) or an empty folder.
// The project folder itself is never removed.
func (f *FS) Remove(name string) error {
	return f.pathError("remove", file.Retry(func() error { return f.root.Remove(inside(name)) }))
}

// RemoveAll removes the named file or folder with all in it; links in it are removed, not followed. A missing name is
// no error. The project folder itself is never removed or emptied.
func (f *FS) RemoveAll(name string) error {
	return f.pathError("remove", file.Retry(func() error { return f.root.RemoveAll(inside(name)) }))
}

// Rename moves oldname to newname and replaces a file that is there. A link as
// the last element of either name is moved or replaced, not followed.
func (f *FS) Rename(oldname, newname string) error {
	return f.linkError(file.Retry(func() error { return f.root.Rename(inside(oldname), inside(newname)) }))
}

// Stat describes the named file, or the target of a link.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	info, err := f.root.Stat(inside(name))
	return info, f.pathError("stat", err)
}

// LstatIfPossible describes the named file, or the link of that name. The second
// result is always true, which says that it does not follow links.
func (f *FS) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	info, err := f.root.Lstat(inside(name))
	return info, true, f.pathError("lstat", err)
}

// ReadlinkIfPossible returns the text of the named link.
func (f *FS) ReadlinkIfPossible(name string) (string, error) {
	text, err := f.root.Readlink(inside(name))
	return text, f.pathError("readlink", err)
}

// Chmod sets the mode bits of the named file.
func (f *FS) Chmod(name string, mode fs.FileMode) error {
	return f.pathError("chmod", f.root.Chmod(inside(name), mode))
}

// Chown sets the numeric owner and group of the named file.
func (f *FS) Chown(name string, uid, gid int) error {
	return f.pathError("chown", f.root.Chown(inside(name), uid, gid))
}

// Chtimes sets the access and modification times of the named file.
func (f *FS) Chtimes(name string, atime, mtime time.Time) error {
	return f.pathError("chtimes", f.root.Chtimes(inside(name), atime, mtime))
}

// Lock takes the lock of the named file. See [lock.Take].
func (f *FS) Lock(name string) (*lock.Lock, error) {
	taken, err := lock.Take(f.root, inside(name))
	return taken, f.pathError("lock", err)
}

// CheckLock returns a *lock.HeldError while a process holds the lock of the named file.
func (f *FS) CheckLock(name string) error {
	return f.pathError("lock", lock.Check(f.root, inside(name)))
}

// inside turns a name from a caller of afero into one for os.Root.
func inside(name string) string {
	for name != "" && os.IsPathSeparator(name[0]) {
		name = name[1:]
	}
	if name == "" {
		return "."
	}
	return name
}
