package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/spf13/afero"
)

const (
	lockPath = Folder + "/lock"
	// takeover guards the replacing of a dead lock, and is a lock itself.
	takeover    = ".takeover"
	maxTakeover = 4
)

var errNoFolder = errors.New(Folder + " must be a folder and no link; move it away")

// acquiring is held while a lock is taken: MemMapFs looks whether a file is
// there and makes it in two steps, so that O_EXCL excludes nobody in it.
var acquiring sync.Mutex

// held is a lock that this process has.
type held struct {
	fsys    afero.Fs
	name    string
	content []byte
}

// lock takes the project's lock, making Folder when it is missing. The error
// matches ErrLocked when somebody else has it.
func lock(fsys afero.Fs) (held, error) {
	acquiring.Lock()
	defer acquiring.Unlock()
	if err := makeFolder(fsys); err != nil {
		return held{}, err
	}
	taken, err := acquire(fsys, lockPath)
	if err != nil && !errors.Is(err, ErrLocked) {
		return held{}, fmt.Errorf("lock the project: %w", err)
	}
	return taken, err
}

func makeFolder(fsys afero.Fs) error {
	info, err := lstat(fsys, Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := fsys.Mkdir(Folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make the folder for lock and journal: %w", err)
		}
		if err := syncFolders(fsys, "."); err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("look at %s: %w", Folder, err)
	case !info.IsDir():
		return errNoFolder
	}
	ignore := Folder + "/.gitignore"
	info, err = lstat(fsys, ignore)
	if err == nil && info.Size() > 0 {
		return nil
	}
	if err := afero.WriteFile(fsys, ignore, []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("keep %s out of version control: %w", Folder, err)
	}
	return nil
}

// acquire takes the lock of that name. A dead one is replaced, never removed
// and made anew, so that of several takers one gets it.
func acquire(fsys afero.Fs, name string) (held, error) {
	content, err := newHolder().encode()
	if err != nil {
		return held{}, err
	}
	mine := held{fsys: fsys, name: name, content: content}
	for {
		err := create(fsys, name, content, 0o644, false)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			_ = mine.release()
			return held{}, err
		}
		// Read back even what was made: a process that was stopped before it
		// wrote its lock may have been taken for a dead one.
		found, err := readLock(fsys, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			_ = mine.release()
			return held{}, err
		case bytes.Equal(found, content):
			return mine, nil
		}
		if owner := decodeHolder(found); owner.alive() {
			return held{}, owner.locked(name)
		}
		if strings.Count(name, takeover) >= maxTakeover {
			first, _, _ := strings.Cut(name, takeover)
			return held{}, fmt.Errorf("too many abandoned locks; remove %s*", first)
		}
		if err := mine.replace(found); err != nil {
			return held{}, err
		}
	}
}

// replace puts a lock in the place of a dead one, unless somebody else was first.
func (h held) replace(dead []byte) error {
	guard, err := acquire(h.fsys, h.name+takeover)
	if err != nil {
		return err
	}
	// One that stays is harmless: it is looked at only beside a dead lock.
	defer func() { _ = guard.release() }()

	found, err := afero.ReadFile(h.fsys, h.name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(found, dead) {
		return nil
	}
	if err != nil {
		return err
	}
	next := h.name + ".next"
	if err := h.fsys.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := create(h.fsys, next, h.content, 0o644, false); err != nil {
		return err
	}
	if err := h.fsys.Rename(next, h.name); err != nil {
		_ = h.fsys.Remove(next)
		return err
	}
	return nil
}

// readLock reads a lock; one that says nothing yet is given time to.
func readLock(fsys afero.Fs, name string) ([]byte, error) {
	const (
		patience = 250 * time.Millisecond
		pause    = 25 * time.Millisecond
	)
	for waited := time.Duration(0); ; waited += pause {
		content, err := afero.ReadFile(fsys, name)
		if err != nil || decodeHolder(content).PID != 0 || waited >= patience {
			return content, err
		}
		time.Sleep(pause)
	}
}

// release removes the lock if it still is this one. It tries again for a
// moment, since on Windows a file that another program looks at cannot be
// removed.
func (h held) release() error {
	var err error
	for range 3 {
		var found []byte
		found, err = afero.ReadFile(h.fsys, h.name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(found, h.content) {
			return nil
		}
		if err == nil {
			err = h.fsys.Remove(h.name)
		}
		if err == nil {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}
