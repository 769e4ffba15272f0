package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"gatewright/lock"
	"gatewright/model"
)

// owner is the hold of one process on a state folder. The system lets go of it
// when the process ends, however that ends: there is no stale one.
type owner struct {
	lock *lock.Lock
	// killed says that the process before did not end by itself.
	killed bool
}

// own takes hold of a state folder, making it where it is missing. The error is
// a *RunningError where somebody has it.
func own(state string) (*owner, error) {
	if err := makeState(state); err != nil {
		return nil, err
	}
	if err := refuseLinks(state); err != nil {
		return nil, err
	}
	taken, err := lock.Path(filepath.Join(state, lockFile))
	if held, ok := errors.AsType[*lock.HeldError](err); ok {
		return nil, runningAt(state, held.PID)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the sandbox's state: %w", err)
	}
	o := &owner{lock: taken}
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

// begin clears what a killed process left.
func (o *owner) begin(state string) error {
	err := os.Remove(filepath.Join(state, runFile))
	o.killed = err == nil
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = settleImport(state)
	}
	return err
}

// release lets go of the folder.
func (o *owner) release() error { return o.lock.Release() }

// isOwned reports whether a process has a state folder.
func isOwned(state string) bool {
	return errors.Is(lock.CheckPath(filepath.Join(state, lockFile)), lock.ErrHeld)
}

// runningAt says who has a state folder, by the process that its lock names. Who
// has just taken it is given a moment to say where it listens.
func runningAt(state string, pid int) *RunningError {
	const patience, pause = 500 * time.Millisecond, 25 * time.Millisecond
	e := &RunningError{PID: pid}
	for waited := time.Duration(0); waited < patience; waited += pause {
		if r, err := readRun(state); err == nil && (e.PID == 0 || r.PID == e.PID) {
			e.PID, e.Address = r.PID, r.Address
			break
		}
		time.Sleep(pause)
	}
	return e
}
