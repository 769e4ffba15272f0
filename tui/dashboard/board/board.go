// Package board is what the tabs of the dashboard share: the project as it was read, and what
// any tab may do with it. A tab knows the board and no other tab.
//
// A tab embeds [Listing]: its name, a widget.Table, and the details of a row. Its Read makes the
// rows outside of Update. It finds the project in Snap and the sandbox in Sandbox. It changes the
// project with Change or Commit, or shows first what an edit does, with Propose, ProposeEdit or
// Review. What is no change of files, such as a new user, goes through Do, and long work through
// Work. A tab that polls asks whether it IsInFront; one with edits that wait for a review is a
// [Stager]. GoTo opens another tab at the row of a thing, by the Show of that tab. What the
// palette finds is in ThingsOf, or comes from a tab that is a [Finder].
package board

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/draft"
	"gatewright/flow/session"
	"gatewright/flow/validation"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
	"gatewright/tui/route"
)

// Board is the state that the tabs share. Tabs read its fields inside Update; only the board
// writes them.
type Board struct {
	// Context is what all pages share; nil in tests of a tab alone.
	Context *frame.Context
	// Dir is a folder in the project.
	Dir string
	// Session writes the changes; nil if the dashboard only reads.
	Session *session.Session
	// Snap is the project as it was last read; nil before the first time.
	Snap *Snapshot
	// Err is why the last reading failed.
	Err error
	// Sandbox is the last state of the sandbox; nil before it was first asked.
	Sandbox *Observed
	// Draft is the saved draft of the wizard; nil for none.
	Draft *draft.Draft
	// Tabs are the tabs of the page.
	Tabs []Tab
	// OpenTab opens the tab at an index of Tabs. The page sets it.
	OpenTab func(at int) tea.Cmd
	// SandboxStarted is told what ends each sandbox that this program starts; nil if nobody asks.
	SandboxStarted func(end func())
	// Problems validates the project.
	Problems *validation.Checker
	// Job is the running work, which can be stopped.
	Job frame.Job
	// Cloud is how AWS is reached. Live says that a dashboard that only reads may ask there.
	Cloud Cloud
	Live  bool
	// Busy names the short work that runs, such as "writing"; "" for none.
	Busy string

	// looks are what AWS said about environments in this run, asked those that it was asked
	// about. Both maps are replaced and never changed.
	looks map[string]*Look
	asked map[string]bool
	// reached is what was found to run of environments in AWS.
	reached map[place]*reach
	// healths are how environments were in AWS when that was asked for.
	healths map[string]*Health
	// roles are the groups of the backend ordered, in their order of precedence.
	roles   []string
	ordered *model.Backend
	// inView are the details that the screen shows to the end; nil if some are out of view.
	inView []prose.Line
	// window is the window of the numbers of calls.
	window windowOf
	// env is the environment that was picked on this page; "" for none.
	env string
	// wanted is the thing to go to once the project is read; nil for none.
	wanted *dialog.Thing
	// good is the last backend of which all files could be read; nil for none. It is shown while
	// files are broken that somebody else writes.
	good *model.Backend
	// review plans the open review again, or opens the open form again; nil if none is open. renews
	// says that this goes on.
	review func() tea.Cmd
	renews bool
	// Told is what the sandbox told of the calls that it answered, if it is Followed. Still says that
	// nothing on the screen may move by itself.
	Told     Told
	Followed bool
	Still    bool
	// RoomForThird says that the window is wide enough for a third pane.
	RoomForThird bool
	// Marks are what stands out.
	Marks
	// feed reads the sandbox; nil while none runs.
	feed *feed
	// own says that this program wrote the files that are read next.
	own bool
	// print is the fingerprint of the files as they were read.
	print string
	// readsBegun counts the readings; results of any but the last are dropped. readsTaken is
	// the number of the reading that is shown.
	readsBegun, readsTaken int
	// front is the tab that is open.
	front atomic.Pointer[Tab]
	// written are the changes that can be undone, the newest last.
	written []writtenChange
}

// New makes the board of the project that dir is in. env is the environment to show; "" is
// the one chosen on this machine, else the first.
func New(dir string, writes *session.Session, env string) *Board {
	return &Board{
		Dir: dir, Session: writes, Cloud: inAWS, env: env, Marks: Marks{Now: time.Now},
		Problems: validation.New(dir, time.Now),
	}
}

// OnlyReads is why nothing can be changed without a session.
const OnlyReads = "this dashboard is read-only: run gatewright instead"

// ReadOnly is why nothing can be changed here; "" if changes are possible.
func (b *Board) ReadOnly() string {
	if b.Session == nil {
		return OnlyReads
	}
	return ""
}

// Nothing says that there is nothing of a kind, such as a table, and how one is added: by a command, or
// by one of the tool that keeps them.
func (b *Board) Nothing(noun, add string) string {
	command := add
	if b.Snap != nil {
		command = b.Snap.Backend.Command(add)
	}
	if command != add || b.ReadOnly() != "" {
		return "no " + noun + " yet; make one with: " + command
	}
	return "no " + noun + " yet: a adds one, or run: " + command
}

// inBackground calls run outside Update, and what it returns inside Update.
func inBackground(run func() (then func() tea.Cmd)) tea.Cmd {
	return func() tea.Msg { return frame.ThenMsg(run()) }
}

// refusal is why no short work may begin now; "" if it may.
func (b *Board) refusal() string {
	switch {
	case b.ReadOnly() != "":
		return notAvailable + b.ReadOnly()
	case b.Busy != "":
		return "wait: " + b.Busy
	}
	return ""
}

const notAvailable = "not available: "

// runBusy does short work outside Update, then what it returns inside Update. Until then Busy
// is the word.
func (b *Board) runBusy(word string, run func() (then func() tea.Cmd)) tea.Cmd {
	if why := b.refusal(); why != "" {
		return frame.Say(frame.Warn, "%s", why)
	}
	b.Busy = word
	return inBackground(func() func() tea.Cmd {
		then := run()
		return func() tea.Cmd {
			b.Busy = ""
			return then()
		}
	})
}

// Work runs long work under a title such as "pushing dev"; esc cancels its context. The status line shows its
// result or its error, and the project is read again. One runs at a time.
func (b *Board) Work(
	title string, run func(ctx context.Context, tell frame.Progress) (result string, err error),
) tea.Cmd {
	return b.Job.Begin(title, func(ctx context.Context, tell frame.Progress) tea.Msg {
		result, err := run(ctx, tell)
		stopped := ctx.Err() != nil && errors.Is(err, context.Canceled)
		return frame.ThenMsg(func() tea.Cmd {
			var say tea.Cmd
			switch {
			case stopped:
				say = frame.Say(frame.Warn, "stopped: %s", title)
			case err != nil:
				say = frame.Say(frame.Error, "%s: %v", title, err)
			case result != "":
				say = frame.Say(frame.Good, "%s", result)
			}
			return tea.Batch(b.Read(), say)
		})
	})
}

// ToWizard opens the wizard with the project as its files are now.
func (b *Board) ToWizard(to route.Wizard) tea.Cmd {
	return b.runBusy("reading", func() func() tea.Cmd {
		current, err := b.Session.Read()
		if err != nil {
			return func() tea.Cmd { return frame.Say(frame.Error, "%v", err) }
		}
		saved, err := b.Session.SavedDraft(current)
		return func() tea.Cmd {
			b.Session.Take(current)
			begin := to.GoIn(current, saved)
			if err != nil {
				return tea.Batch(begin, frame.Say(frame.Warn, "%v", err))
			}
			return begin
		}
	})
}

// Copy is the binding that sends a text to the terminal's clipboard. Terminals do not say
// whether they have one.
func Copy(text string) keys.Binding {
	return keys.Copy.Does("copy", "send the endpoint or the row to the terminal's clipboard", func() tea.Cmd {
		return frame.Copy(text, "")
	}).Unless(keys.When(text == "", "there is nothing to copy"))
}

// ShowAll is the binding that shows all details of a row in a dialog, unless the screen shows
// them to the end.
func (b *Board) ShowAll(title string, lines []prose.Line) keys.Binding {
	return keys.Open.Does("show all", "show all details of the row", func() tea.Cmd {
		return frame.Open(dialog.Lines(title, lines))
	}).Unless(keys.When(slices.Equal(lines, b.inView), "all details are in view")).Shown()
}

// InView tells which details the screen shows to the end; nil if some are out of view.
func (b *Board) InView(details []prose.Line) { b.inView = details }
