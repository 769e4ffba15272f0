package functions

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/prose"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/logtail"
)

// readLog opens a dialog with the log of a function in the shown environment, and follows it
// until the dialog is closed. Of an environment in AWS it is the log there; while a sandbox
// runs, which may serve that environment too, a person chooses.
func (t *Tab) readLog(r *row) tea.Cmd {
	if t.reading {
		// The key was pressed twice.
		return nil
	}
	b := t.board
	switch {
	case !b.Snap.Env.InAWS():
		return t.readSandboxLog(r)
	case b.Sandbox.Running:
		const inAWS, inSandbox = "aws", "sandbox"
		return frame.Open(dialog.Choose("Which log of "+prose.PrintableStart(r.name)+"?", []prose.Option{
			{Key: inAWS, Title: "in AWS", Detail: "what environment " + prose.PrintableStart(b.Snap.Name()) +
				" logs there, from an hour ago on", Disabled: b.MayAskAWS()},
			{Key: inSandbox, Title: "in the sandbox", Detail: "what ran on this machine"},
		}, "", func(key string) tea.Cmd {
			if key == inSandbox {
				return t.readSandboxLog(r)
			}
			return t.readCloudLog(r)
		}))
	case b.MayAskAWS() != "":
		return frame.Say(frame.Warn, "%s", board.AsksNothing)
	}
	return t.readCloudLog(r)
}

// readSandboxLog shows the log of the sandbox. If none runs it shows the kept lines.
func (t *Tab) readSandboxLog(r *row) tea.Cmd {
	b := t.board
	return t.show(logtail.Of(b.Snap.Root, b.Snap.Layout, b.Snap.Name(), r.key))
}

// readCloudLog shows the log in AWS.
func (t *Tab) readCloudLog(r *row) tea.Cmd {
	questions := frame.NewQuestions()
	return tea.Batch(t.show(t.board.CloudLog(r.key, questions)), questions.Listen())
}

func (t *Tab) show(tail logtail.Tail) tea.Cmd {
	t.reading = true
	tail.Closed, tail.Edited, tail.ReadOnly = func() { t.reading = false }, t.board.Edited, t.board.ReadOnly()
	return tail.Open(t.board.Session)
}
