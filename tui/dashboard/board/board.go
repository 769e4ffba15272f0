// Package board is what the tabs of the dashboard stand on: the project as it was
// read, and what any tab may do to it. A tab knows the board and no other tab.
package board

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/prose"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/route"
	"gatewright/tui/widget"
)

// Board is the state that tabs share. Its fields are read by tabs in the screens' own
// goroutine, and written by the board.
type Board struct {
	// Dir is in the project.
	Dir string
	// Writes is the session that changes go through; nil where nothing is changed.
	Writes *session.Session
	// Snap is the project as it was read; nil before it was.
	Snap *Snapshot
	// Err is why the files could not be read the last time.
	Err error
	// Sandbox is what the sandbox said last; nil before it was asked.
	Sandbox *Observed
	// Draft is what is kept of a walk of the wizard; nil for nothing.
	Draft *draft.Draft
	// Tabs are given what was read.
	Tabs []Tab
	// Job is what runs and can be stopped.
	Job frame.Job
	// Busy says what is being done that takes a moment; "" for nothing.
	Busy string

	// env is the environment that was switched to here; "" for none yet.
	env string
	// print is the fingerprint of the files as they were read.
	print string
	// asked counts the readings that were begun: the answer to an earlier one is
	// dropped. answered is the last that came.
	asked, answered int
	// written are the changes that can be taken back, the last one last.
	written []written
}

// New makes the board of the project that a folder belongs to. env is the environment
// to look at; "" is the one chosen on this machine, else the first.
func New(dir string, writes *session.Session, env string) *Board {
	return &Board{Dir: dir, Writes: writes, env: env}
}

// OnlyReads is why nothing can be changed where there is no session.
const OnlyReads = "this dashboard only reads: run gatewright without dashboard"

// ReadOnly is why nothing can be changed here; "" where it can.
func (b *Board) ReadOnly() string {
	if b.Writes == nil {
		return OnlyReads
	}
	return ""
}

// away does run away from Update, and what that returns in the screens' own goroutine.
func away(run func() (then func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg { return frame.ThenMsg(run()) }
}

// refuses is why nothing may begin now that takes a moment; "" where it may.
func (b *Board) refuses() string {
	switch {
	case b.ReadOnly() != "":
		return notAvailable + b.ReadOnly()
	case b.Busy != "":
		return "wait: " + b.Busy
	}
	return ""
}

const notAvailable = "not available: "

// moment does what takes a moment away from Update, and then what that returns. A word
// names it until it has ended.
func (b *Board) moment(word string, run func() (then func() tea.Cmd)) tea.Cmd {
	if why := b.refuses(); why != "" {
		return frame.Say(frame.Warn, "%s", why)
	}
	b.Busy = word
	return away(func() func() tea.Cmd {
		then := run()
		return func() tea.Cmd {
			b.Busy = ""
			return then()
		}
	})
}

// Work runs what takes long. title names it while it runs, as "pushing dev"; esc
// cancels its context. What it says, or its error, comes to the status line, and the
// project is read again. One runs at a time.
func (b *Board) Work(title string, run func(ctx context.Context, tell frame.Progress) (said string, err error)) tea.Cmd {
	return b.Job.Begin(title, func(ctx context.Context, tell frame.Progress) tea.Msg {
		said, err := run(ctx, tell)
		stopped := ctx.Err() != nil && errors.Is(err, context.Canceled)
		return frame.ThenMsg(func() tea.Cmd {
			var say tea.Cmd
			switch {
			case stopped:
				say = frame.Say(frame.Warn, "stopped: %s", title)
			case err != nil:
				say = frame.Say(frame.Error, "%s: %v", title, err)
			case said != "":
				say = frame.Say(frame.Good, "%s", said)
			}
			return tea.Batch(b.Read(), say)
		})
	})
}

// ToWizard begins a walk of the wizard, with the project as its files are now.
func (b *Board) ToWizard(to route.Wizard) tea.Cmd {
	return b.moment("reading", func() func() tea.Cmd {
		current, err := b.Writes.Read()
		if err != nil {
			return func() tea.Cmd { return frame.Say(frame.Error, "%v", err) }
		}
		kept, err := b.Writes.SavedDraft(current)
		return func() tea.Cmd {
			b.Writes.Take(current)
			begin := to.GoIn(current, kept)
			if err != nil {
				return tea.Batch(begin, frame.Say(frame.Warn, "%v", err))
			}
			return begin
		}
	})
}

// Copy is the binding that sends a text to the terminal's clipboard, which may be
// there or not: it does not answer.
func Copy(text string) widget.Binding {
	return widget.Copy.Does("copy", "send the endpoint or the row to the terminal's clipboard", func() tea.Cmd {
		return tea.Batch(tea.SetClipboard(text), frame.Say(frame.Info, "sent to the clipboard: %s", text))
	}).Unless(widget.When(text == "", "there is nothing to copy"))
}

// ShowAll is the binding that shows all that is to be said of a row.
func ShowAll(title string, lines []prose.Line) widget.Binding {
	return widget.Open.Does("show all", "show all that is to be said of the row", func() tea.Cmd {
		return frame.Open(dialog.Lines(title, lines))
	})
}
