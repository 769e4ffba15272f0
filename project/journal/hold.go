package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/spf13/afero"
)

// Lock is a lock beside the one of commits, for longer work on one thing in
// [Folder]. One that a killed process left is free.
type Lock struct{ held held }

// Hold takes the lock of that name, a path in Folder. The error is a
// *LockedError when a living process has it.
func Hold(fsys afero.Fs, name string) (*Lock, error) {
	if err := makeFolder(fsys); err != nil {
		return nil, err
	}
	return HoldFile(fsys, path.Join(Folder, name))
}

// HoldFile is Hold for a lock that lies anywhere, such as in the user's state
// folder.
func HoldFile(fsys afero.Fs, name string) (*Lock, error) {
	acquiring.Lock()
	defer acquiring.Unlock()
	if err := fsys.MkdirAll(path.Dir(name), 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for %s: %w", name, err)
	}
	taken, err := acquire(fsys, name)
	if err != nil {
		return nil, err
	}
	return &Lock{held: taken}, nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return l.held.release() }

// Busy is a *LockedError while a living process holds the lock of that name.
func Busy(fsys afero.Fs, name string) error {
	name = path.Join(Folder, name)
	content, err := readLock(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look whether %s is held: %w", name, err)
	}
	if owner := decodeHolder(content); owner.alive() {
		return owner.locked(name)
	}
	return nil
}
