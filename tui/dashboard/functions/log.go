package functions

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/tui/logtail"
)

// readLog opens a dialog with the log of a function in the shown environment, and follows it
// until the dialog is closed. If no sandbox runs it shows the kept lines.
func (t *Tab) readLog(r *row) tea.Cmd {
	if t.reading {
		// The key was pressed twice.
		return nil
	}
	t.reading = true
	b := t.board
	tail := logtail.Of(b.Snap.Root, b.Snap.Layout, b.Snap.SandboxEnvironment(), r.key)
	tail.Closed, tail.Edited, tail.ReadOnly = func() { t.reading = false }, b.Edited, b.ReadOnly()
	return tail.Open(b.Session)
}
