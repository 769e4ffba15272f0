package dashboard

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy"
	"gatewright/project"
	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

const logDialog = "functions/log"

// logReading is a log that is shown in a dialog.
type logReading struct {
	box    *inbox[logs.Line]
	cancel context.CancelFunc
}

// logged is what was read of it; with ended nothing more comes, err says why.
type logged struct {
	of    *logReading
	lines []logs.Line
	ended bool
	err   error
}

// mostRead is how many lines of a log are shown from the beginning.
const mostRead = 1000

// readLog opens a dialog with the log of a function in the environment at hand, and
// reads it: from the sandbox that runs, else what was kept.
func (f *functionsTab) readLog(r functionRow) tea.Cmd {
	f.endLog()
	ctx, cancel := context.WithCancel(context.Background())
	reading := &logReading{box: newInbox[logs.Line](2 * mostRead), cancel: cancel}
	f.reading = reading
	dir, query := f.page.dir, logs.Query{Environment: f.environment, Function: r.key, Last: mostRead}
	read := func() tea.Msg {
		reading.box.end(readLines(ctx, dir, query, reading.box.put))
		return nil
	}
	title := "log of " + r.name + " in " + fit(f.environment)
	// The lines find the dialog only where it is open.
	return tea.Batch(read, tea.Sequence(frame.Open(dialog.Log(logDialog, title)), reading.listen()))
}

func (l *logReading) listen() tea.Cmd {
	return func() tea.Msg {
		lines, ended, err := l.box.take()
		return logged{l, lines, ended, err}
	}
}

// readLines reads a log, and follows it where a sandbox runs, until ctx ends. It
// only reads.
func readLines(ctx context.Context, dir string, query logs.Query, put func(logs.Line)) error {
	root, _, err := project.Find(dir)
	if err != nil {
		return err
	}
	state := deploy.SandboxState(root)
	client, err := sandbox.Connect(state)
	switch {
	case errors.Is(err, sandbox.ErrNotRunning):
		lines, err := logs.ReadFolder(sandbox.LogFolder(state), query)
		for _, l := range lines {
			put(l)
		}
		if err != nil {
			return err
		}
		return sandbox.ErrNotRunning
	case err != nil:
		return err
	}
	return client.Logs(ctx, query, true, func(l logs.Line) error {
		put(l)
		return nil
	})
}

// takeLog gives the dialog what was read.
func (f *functionsTab) takeLog(msg logged) tea.Cmd {
	lines := dialog.LogLines{ID: logDialog}
	for _, l := range msg.lines {
		lines.Lines = append(lines.Lines, logLines(l)...)
	}
	switch {
	case errors.Is(msg.err, sandbox.ErrNotRunning):
		lines.Note = "no sandbox runs: this is what was kept"
	case msg.err != nil:
		lines.Note = "error: " + msg.err.Error()
	case msg.ended:
		lines.Note = "the sandbox has ended"
	}
	show := func() tea.Msg { return lines }
	if msg.ended {
		return show
	}
	return tea.Batch(show, msg.of.listen())
}

// endLog ends the reading of a log.
func (f *functionsTab) endLog() {
	if f.reading != nil {
		f.reading.cancel()
		f.reading = nil
	}
}
