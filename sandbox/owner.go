package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gatewright/model"
)

// owner is the hold of one process on a state folder. The system lets go of it
// when the process ends, however that ends: there is no stale one.
type owner struct {
	lock *os.File
	// killed says that the process before did not end by itself.
	killed bool
}

// errHeld is the error of taking a lock that another process has.
var errHeld = errors.New("held by another process")

// own takes hold of a state folder, making it where it is missing. The error is
// a *RunningError where somebody has it.
func own(state string) (*owner, error) {
	if err := makeState(state); err != nil {
		return nil, err
	}
	if err := refuseLinks(state); err != nil {
		return nil, err
	}
	// A client that looks whether anybody is here holds the lock for a moment.
	const tries, pause = 5, 20 * time.Millisecond
	var (
		lock *os.File
		err  error
	)
	for range tries {
		if lock, err = openLock(filepath.Join(state, lockFile)); !errors.Is(err, errHeld) {
			break
		}
		time.Sleep(pause)
	}
	if errors.Is(err, errHeld) {
		return nil, runningAt(state)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the sandbox's state: %w", err)
	}
	o := &owner{lock: lock}
	if err := o.begin(state); err != nil {
		_ = o.release()
		return nil, fmt.Errorf("taking over the sandbox's state: %w", err)
	}
	return o, nil
}

// makeState makes a state folder that only the user can look into and that
// version control leaves out.
func makeState(state string) error {
	if err := os.MkdirAll(state, 0o700); err != nil {
		return fmt.Errorf("making the sandbox's state: %w", err)
	}
	ignore := filepath.Join(state, ignoreFile)
	if _, err := os.Lstat(ignore); err == nil {
		return nil
	}
	if err := os.WriteFile(ignore, []byte("*\n"), 0o600); err != nil {
		return fmt.Errorf("making the sandbox's state: %w", err)
	}
	return nil
}

// refuseLinks refuses a state folder with a link where the sandbox itself makes
// files: one may come with a cloned project, and lead anywhere.
func refuseLinks(state string) error {
	look := func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("looking at the sandbox's state: %w", err)
		case entry.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("the sandbox's state has a link, %s; remove it", model.Quote(name))
		}
		return nil
	}
	entries, err := os.ReadDir(state)
	if err != nil {
		return fmt.Errorf("looking at the sandbox's state: %w", err)
	}
	for _, entry := range entries {
		if err := look(entry.Name(), entry, nil); err != nil {
			return err
		}
	}
	// What is deeper there may be packages, which have links of their own.
	for _, name := range []string{workFolder, mockFolder, sourceFolder} {
		below, _ := os.ReadDir(filepath.Join(state, name))
		for _, entry := range below {
			if err := look(name+"/"+entry.Name(), entry, nil); err != nil {
				return err
			}
		}
	}
	return filepath.WalkDir(filepath.Join(state, dataFolder), look)
}

// begin writes down who has the lock, and clears what a killed process left.
func (o *owner) begin(state string) error {
	err := o.lock.Truncate(0)
	if err == nil {
		_, err = o.lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err == nil {
		err = os.Remove(filepath.Join(state, runFile))
		o.killed = err == nil
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = settleImport(state)
	}
	return err
}

// release lets go of the folder. The file of the lock stays: removing it would
// let two processes lock two files of one name.
func (o *owner) release() error { return o.lock.Close() }

// isOwned reports whether a process has a state folder.
func isOwned(state string) bool {
	name := filepath.Join(state, lockFile)
	if _, err := os.Stat(name); err != nil {
		return false
	}
	lock, err := openLock(name)
	if err != nil {
		return errors.Is(err, errHeld)
	}
	_ = lock.Close()
	return false
}

// runningAt says who has a state folder. Who has just taken it is given a moment
// to say where it listens.
func runningAt(state string) *RunningError {
	const patience, pause = 500 * time.Millisecond, 25 * time.Millisecond
	e := &RunningError{PID: lockedBy(state)}
	for waited := time.Duration(0); waited < patience; waited += pause {
		if r, err := readRun(state); err == nil && (e.PID == 0 || r.PID == e.PID) {
			e.PID, e.Address = r.PID, r.Address
			break
		}
		time.Sleep(pause)
	}
	return e
}

// lockedBy is the process that wrote itself into the lock; 0 where that cannot
// be read.
func lockedBy(state string) int {
	f, err := os.Open(filepath.Join(state, lockFile))
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }()
	const enough = 32
	text, _ := io.ReadAll(io.LimitReader(f, enough))
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return max(pid, 0)
}
