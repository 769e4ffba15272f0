package deploy

import (
	"context"
	"errors"

	"gatewright/sandbox"
	"gatewright/sandbox/logs"
)

// ReadLogs calls use for each log line that matches a query, oldest first. The lines come
// from the running sandbox of the project in root, with follow also new ones until ctx or the
// sandbox ends. If none runs, they come from the files that it left, and running is false.
func ReadLogs(ctx context.Context, root string, q logs.Query, follow bool, use func(logs.Line) error) (running bool, err error) {
	state := SandboxState(root)
	client, err := sandbox.Connect(state)
	switch {
	case err == nil:
		return true, client.Logs(ctx, q, follow, use)
	case !errors.Is(err, sandbox.ErrNotRunning):
		return false, err
	}
	lines, err := logs.ReadFolder(sandbox.LogFolder(state), q)
	for i := 0; i < len(lines) && err == nil; i++ {
		err = use(lines[i])
	}
	return false, err
}
