package sandbox

import (
	"errors"
	"fmt"
)

// ErrNotRunning is the error of looking for a sandbox where none runs.
var ErrNotRunning = errors.New("no sandbox is running; start it with: gatewright sandbox")

// RunningError says that another process owns the state folder. Address is
// empty where it has not said yet, PID 0 where that is not known.
type RunningError struct {
	PID     int
	Address string
}

func (e *RunningError) Error() string {
	text, fix := "a sandbox of this project is running", "end it first, with Ctrl-C where it runs"
	if e.PID != 0 {
		text += fmt.Sprintf(" as process %d", e.PID)
		fix += fmt.Sprintf(" or: kill %d", e.PID)
	}
	if e.Address != "" {
		text += " at " + e.Address
	}
	return text + "; " + fix
}

// PortError says that a port is taken: by whom as far as the system tells
// (Holder, empty where it does not), and which port near it is free (0 for none).
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
