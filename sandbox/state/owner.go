package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/lock"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// Owner is the ownership of a state folder by this process. The operating system ends it
// with the process, even if that is killed.
type Owner struct {
	lock *lock.Lock
	// Killed is set if the previous owner was killed.
	Killed bool
}

// Own takes ownership of a state folder, and creates it if necessary. The error is a
// *RunningError if another process owns it.
func Own(state string) (*Owner, error) {
	if err := makeState(state); err != nil {
		return nil, err
	}
	if err := CheckFiles(state); err != nil {
		return nil, err
	}
	taken, err := lock.TakePath(filepath.Join(state, lockFile))
	if held, ok := errors.AsType[*lock.HeldError](err); ok {
		return nil, runningAt(state, held)
	}
	if err != nil {
		return nil, fmt.Errorf("locking the sandbox's state: %w", err)
	}
	o := &Owner{lock: taken}
	if err := o.begin(state); err != nil {
		_ = o.Release()
		return nil, fmt.Errorf("taking over the sandbox's state: %w", err)
	}
	return o, nil
}

// makeState creates a state folder that only the user can read and that Git ignores.
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

// CheckFiles refuses a state folder with anything but files and folders where the sandbox has
// its own: a link may come with a cloned project, and lead anywhere, and a pipe blocks.
func CheckFiles(state string) error {
	check := func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("reading the sandbox's state: %w", err)
		}
		return refuseKind(name, entry.Type())
	}
	entries, err := os.ReadDir(state)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the sandbox's state: %w", err)
	}
	for _, entry := range entries {
		if err := check(entry.Name(), entry, nil); err != nil {
			return err
		}
	}
	// Deeper folders are not checked: installed packages of functions have links.
	for _, name := range []string{WorkFolder, mockFolder, sourceFolder} {
		below, _ := os.ReadDir(filepath.Join(state, name))
		for _, entry := range below {
			if err := check(name+"/"+entry.Name(), entry, nil); err != nil {
				return err
			}
		}
	}
	return filepath.WalkDir(filepath.Join(state, DataFolder), check)
}

// refuseKind refuses what is neither a file nor a folder.
func refuseKind(name string, kind fs.FileMode) error {
	what := "a pipe, a socket or a device"
	switch {
	case kind.IsRegular() || kind.IsDir():
		return nil
	case kind&fs.ModeSymlink != 0:
		what = "a link"
	}
	return fmt.Errorf("the sandbox's state has %s, %s; remove it", what, phrase.Quote(name))
}

// begin cleans up after a killed owner.
func (o *Owner) begin(state string) error {
	err := file.Remove(filepath.Join(state, RunFile))
	o.Killed = err == nil
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = settleImport(state)
	}
	return err
}

// Release ends the ownership.
func (o *Owner) Release() error { return o.lock.Release() }

// IsOwned reports whether a process owns a state folder.
func IsOwned(state string) bool {
	return errors.Is(lock.CheckPath(filepath.Join(state, lockFile)), lock.ErrHeld)
}

// runningAt is the error for a state folder that another process owns, as its lock says.
// A sandbox that starts gets a moment to write its address to run.json.
func runningAt(state string, held *lock.HeldError) *RunningError {
	const timeout, pause = 500 * time.Millisecond, 25 * time.Millisecond
	e := &RunningError{PID: held.PID, Command: held.Command}
	for waited := time.Duration(0); waited < timeout && !e.endsSoon(); waited += pause {
		if r, err := ReadRun(state); err == nil && (e.PID == 0 || r.PID == e.PID) {
			e.PID, e.Address = r.PID, r.Address
			break
		}
		time.Sleep(pause)
	}
	return e
}

// RunningError is the error when another process owns the state folder: a sandbox, or a
// command that ends by itself. PID is 0, and Address and Command are "", while they are unknown.
type RunningError struct {
	PID              int
	Address, Command string
}

// endsSoon reports whether the other process is a command that serves nothing.
func (e *RunningError) endsSoon() bool {
	return e.Address == "" && e.Command != "" && e.Command != "sandbox"
}

// Who names the other process if it is a command that ends by itself; "" if it may be a sandbox.
func (e *RunningError) Who() string {
	if !e.endsSoon() {
		return ""
	}
	return fmt.Sprintf("gatewright %s (process %d)", prose.Printable(e.Command), e.PID)
}

// Error says how to end the other process.
func (e *RunningError) Error() string {
	if e.endsSoon() {
		return fmt.Sprintf("gatewright %s is running as process %d and uses the sandbox's data; wait until it ends, or "+
			"end it with: %s", prose.Printable(e.Command), e.PID, EndCommand(e.PID))
	}
	text, fix := "a sandbox of this project is running", "end it first, with ctrl+c where it runs"
	if e.PID != 0 {
		text += fmt.Sprintf(" as process %d", e.PID)
		fix += " or: " + EndCommand(e.PID)
	}
	if e.Address != "" {
		text += " at " + e.Address
	}
	return text + "; " + fix
}

// EndCommand is the command line that ends a process.
func EndCommand(pid int) string {
	if runtime.GOOS == "windows" {
		// Without /F it asks windows, and a program of the console has none.
		return fmt.Sprintf("taskkill /F /PID %d", pid)
	}
	return fmt.Sprintf("kill %d", pid)
}
