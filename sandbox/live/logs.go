package live

import (
	"context"
	"errors"

	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
)

// Logs reads the logs of a project: from its sandbox if one runs, else from the files that
// the last one left.
type Logs struct {
	state  string
	client *sandbox.Client
}

// OpenLogs finds the logs of the project in root.
func OpenLogs(root string) (Logs, error) {
	l := Logs{state: State(root)}
	client, err := sandbox.Connect(l.state)
	if err != nil && !errors.Is(err, sandbox.ErrNotRunning) {
		return l, err
	}
	l.client = client
	return l, nil
}

// Running reports whether a sandbox runs, so that Read can follow.
func (l Logs) Running() bool { return l.client != nil }

// Read calls use for each line that matches a query, oldest first. With follow it goes on
// with new lines of the running sandbox until ctx or the sandbox ends.
func (l Logs) Read(ctx context.Context, q logs.Query, follow bool, use func(logs.Line) error) error {
	if l.Running() {
		return l.client.Logs(ctx, q, follow, use)
	}
	lines, err := logs.ReadFolder(state.LogFolder(l.state), q)
	for i := 0; i < len(lines) && err == nil; i++ {
		err = use(lines[i])
	}
	return err
}
