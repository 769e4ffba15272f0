package sandbox

import (
	"errors"
	"fmt"
)

// ErrNotRunning is the error of Connect when no sandbox runs.
var ErrNotRunning = errors.New("no sandbox is running; start it with: gatewright sandbox")

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
