package sandbox

import (
	"errors"
	"fmt"
	"runtime"
)

// ErrNotRunning is the error of Connect when no sandbox runs.
var ErrNotRunning = errors.New("no sandbox is running; start it with: gatewright sandbox")

// RunningError is the error when another process owns the state folder. PID is 0 and
// Address "" while they are unknown.
type RunningError struct {
	PID     int
	Address string
}

func (e *RunningError) Error() string {
	text, fix := "a sandbox of this project is running", "end it first, with Ctrl-C where it runs"
	if e.PID != 0 {
		text += fmt.Sprintf(" as process %d", e.PID)
		fix += " or: " + endCommand(e.PID)
	}
	if e.Address != "" {
		text += " at " + e.Address
	}
	return text + "; " + fix
}

// endCommand is the command line that ends a process.
func endCommand(pid int) string {
	if runtime.GOOS == "windows" {
		// Without /F it asks windows, and a program of the console has none.
		return fmt.Sprintf("taskkill /F /PID %d", pid)
	}
	return fmt.Sprintf("kill %d", pid)
}

// PortError is the error for a port that is in use. Holder is the program that uses it, or
// "" if unknown; Free is a free port near it, or 0.
type PortError struct {
	Port   int
	Holder string
	Free   int
}

func (e *PortError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "another program"
	}
	fix := "end that first, or give another port with --port"
	if e.Free != 0 {
		fix = fmt.Sprintf("end that first, or give a free one: --port %d", e.Free)
	}
	return fmt.Sprintf("port %d is taken by %s; %s", e.Port, holder, fix)
}
