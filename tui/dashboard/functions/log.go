package functions

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// reading is a log that is shown in a dialog.
type reading struct {
	log *dialog.Log
	box *board.Inbox[logs.Line]
}

// mostRead is how many lines of a log are shown at first.
const mostRead = 1000

// readLog opens a dialog with the log of a function in the shown environment, and follows it
// until the dialog is closed. If no sandbox runs it shows the kept lines.
func (t *Tab) readLog(r *row) tea.Cmd {
	if t.reading != nil {
		// The key was pressed twice.
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	reading := &reading{box: board.NewInbox[logs.Line](2 * mostRead)}
	reading.log = dialog.NewLog("log of "+r.name+" in "+prose.PrintableStart(t.board.Snap.SandboxEnvironment()), func() tea.Cmd {
		cancel()
		t.reading = nil
		return nil
	})
	t.reading = reading
	root, query := t.board.Snap.Root, logs.Query{Environment: t.board.Snap.SandboxEnvironment(), Function: r.key, Last: mostRead}
	return tea.Batch(frame.Open(reading.log), reading.listen, func() tea.Msg {
		reading.box.End(readLines(ctx, root, query, reading.box.Put))
		return nil
	})
}

// listen waits for lines; it is a command.
func (l *reading) listen() tea.Msg {
	lines, ended, err := l.box.Take()
	return frame.ThenMsg(func() tea.Cmd { return l.take(lines, ended, err) })
}

// readLines reads a log, and follows it if a sandbox runs, until ctx ends. The error is
// sandbox.ErrNotRunning if none runs.
func readLines(ctx context.Context, root string, query logs.Query, put func(logs.Line)) error {
	log, err := deploy.OpenLogs(root)
	if err != nil {
		return err
	}
	err = log.Read(ctx, query, true, func(l logs.Line) error {
		put(l)
		return nil
	})
	if err == nil && !log.Running() {
		return sandbox.ErrNotRunning
	}
	return err
}

// take gives the dialog what was read; with ended nothing more comes, err says why.
func (l *reading) take(read []logs.Line, ended bool, err error) tea.Cmd {
	var lines []prose.Line
	for _, line := range read {
		lines = append(lines, prose.InTone(prose.Plain, logLines(line)...)...)
	}
	note := ""
	switch {
	case errors.Is(err, sandbox.ErrNotRunning):
		note = "no sandbox runs: these lines were kept"
	case err != nil:
		note = "error: " + err.Error()
	case ended:
		note = "the sandbox has ended"
	}
	l.log.Append(lines, note)
	if ended {
		return nil
	}
	return l.listen
}
