package activity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/keys"
)

// sandboxState describes the sandbox.
func (t *Tab) sandboxState() string {
	o := t.board.Sandbox
	switch {
	case t.live != nil && t.live.ending():
		return "the sandbox of this program is ending"
	case t.live != nil && t.live.address == "":
		return "the sandbox is starting"
	case t.live != nil:
		return "sandbox running at " + t.live.address + " in this program since " + clock.Moment(t.live.begun) + "; s ends it"
	case o == nil:
		return "looking for a sandbox ..."
	case o.Err != "":
		return "! a sandbox is running but does not respond: " + o.Err
	case o.Running:
		return fmt.Sprintf("sandbox running at %s, process %d, since %s", o.Address(), o.Status.PID,
			clock.Moment(o.Status.Started))
	}
	return "no sandbox is running; s starts one"
}

// servedLines are the APIs that a sandbox serves.
func servedLines(o *board.Observed) []prose.Line {
	if !o.Runs() {
		return nil
	}
	var lines []prose.Line
	for _, api := range o.Status.APIs {
		lines = append(lines,
			prose.Line{
				Tone: prose.Muted,
				Text: prose.PrintableStart("  API " + api.Label + " of " + api.Environment + " " + api.Endpoint),
			})
	}
	return lines
}

// startOrEnd is the binding that starts a sandbox, or ends the running one.
func (t *Tab) startOrEnd() keys.Binding {
	label, about, why := "start sandbox", "run the project on this machine until the program ends", ""
	do := func() tea.Cmd { return t.startLive(0, nil) }
	switch o := t.board.Sandbox; {
	case t.live != nil:
		label, about, do = "end sandbox", "end the sandbox that this program started", t.endLive
	case o.Runs():
		label, about, do = "end sandbox", "end the sandbox that was started elsewhere; asks first", t.askToEnd
		if o.Client == nil {
			why = o.Err
		}
	}
	return keys.Sandbox.Does(label, about, do).Shown().Unless(t.board.ReadOnly(), t.board.Job.Busy(), why)
}

// startLive starts a sandbox for the shown environment, or for that of the first request, which
// it sends then; port 0 is the project's port. The work ends when the sandbox serves and has
// answered, or could not start.
func (t *Tab) startLive(port int, first *session.Call) tea.Cmd {
	if t.live != nil {
		return nil
	}
	environment := ""
	if first != nil {
		environment = first.Environment
	} else {
		environment = t.board.Snap.Name()
	}
	l := newLive(environment)
	t.live, l.first = l, first
	if t.board.SandboxStarted != nil {
		t.board.SandboxStarted(l.close)
	}
	t.layOut()
	const title = "starting the sandbox"
	return tea.Batch(l.run(t.board.Dir, port), t.listen(l.box), t.board.Job.Do(frame.Task{
		Title: title,
		Run: func(ctx context.Context, _ frame.Progress, step func(string)) tea.Msg {
			select {
			case <-l.up.Done():
			case <-ctx.Done():
				l.close()
				return frame.ThenMsg(func() tea.Cmd {
					return tea.Batch(t.board.Read(), frame.Say(frame.Warn, "stopped: %s; s starts it", title))
				})
			}
			if first == nil {
				return frame.ThenMsg(t.board.Read)
			}
			step("calling " + prose.Printable(first.Request()))
			return t.answered(ctx, *first, step)
		},
	}))
}

// endLive ends the sandbox of this program. Running requests may finish, unless esc stops
// them.
func (t *Tab) endLive() tea.Cmd {
	l := t.live
	l.stop()
	t.layOut()
	return t.board.Work("ending the sandbox", func(ctx context.Context, _ frame.Progress) (string, error) {
		select {
		case <-l.ended.Done():
		case <-ctx.Done():
			l.hurry()
			<-l.ended.Done()
		}
		return "the sandbox has ended", nil
	})
}

// Ends says that the sandbox of this program ends with it.
func (t *Tab) Ends() string {
	if t.live == nil {
		return ""
	}
	return "The sandbox that this program runs ends, and nobody can call it."
}

// Close ends the sandbox of this program, and waits for that. A push that was prepared and
// not carried out leaves nothing behind.
func (t *Tab) Close() {
	t.closeCloud()
	if t.live != nil {
		t.live.close()
	}
}

// handleLive handles entries of the sandbox of this program.
func (t *Tab) handleLive(events []entry, ended bool, err error) tea.Cmd {
	l, cmds := t.live, []tea.Cmd{sayCodes(codesSince(time.Time{}, events))}
	starting := l.address == ""
	for _, h := range events {
		if h.kind == live.Listening {
			l.address = strings.TrimPrefix(h.text, "http://")
		}
	}
	if starting && l.address != "" && !l.ending() {
		cmds = append(cmds, frame.Say(frame.Good, "the sandbox runs at %s until this program ends", l.address),
			t.board.Observe())
	}
	if ended {
		t.live = nil
		cmds = append(cmds, t.whyEnded(err, l.ending(), l.first), t.board.Observe())
	}
	return tea.Batch(cmds...)
}

// whyEnded says why the sandbox ended, and offers a free port if its port is in use. first is the
// request that was to be sent.
func (t *Tab) whyEnded(err error, ending bool, first *session.Call) tea.Cmd {
	var taken *sandbox.PortError
	switch {
	case errors.As(err, &taken) && taken.Free != 0:
		text := fmt.Sprintf("Port %d is in use by %s.\nPort %d is free, but clients must know it: the client configuration "+
			"file names it until it is written again.", taken.Port, cmp.Or(taken.Holder, "another program"),
			taken.Free)
		return frame.Open(dialog.Sure("Start the sandbox on another port?", text, "Start on "+strconv.Itoa(taken.Free),
			func() tea.Cmd { return t.startLive(taken.Free, first) }))
	case err != nil:
		return frame.Say(frame.Error, "the sandbox: %v", err)
	case !ending:
		return frame.Say(frame.Warn, "the sandbox has ended")
	}
	return nil
}

// askToEnd asks whether to end a sandbox that was started elsewhere.
func (t *Tab) askToEnd() tea.Cmd {
	text := fmt.Sprintf("It was started elsewhere: process %d at %s. Its clients lose it; its users and items stay.",
		t.board.Sandbox.Status.PID, t.board.Sandbox.Address())
	return frame.Open(dialog.Sure("End the sandbox?", text, "End it", t.endOther))
}

// endOther ends the sandbox that was started elsewhere.
func (t *Tab) endOther() tea.Cmd {
	sandbox := t.board.Sandbox
	if sandbox == nil || sandbox.Client == nil {
		return frame.Say(frame.Warn, "there is no running sandbox to end")
	}
	return t.board.Work("ending the sandbox", func(ctx context.Context, _ frame.Progress) (string, error) {
		return "the sandbox is ending", sandbox.Client.Stop(ctx)
	})
}

// liveSandbox is a sandbox that this program runs itself.
type liveSandbox struct {
	environment string
	// first is the request that is sent when it serves; nil for none.
	first *session.Call
	begun time.Time
	// address is its host and port; "" while it starts.
	address string
	box     *frame.Inbox[entry]

	ctx context.Context
	// stop ends it and lets running requests finish; hurry, which ends rush, stops them too.
	stop, hurry func()
	rush        context.Context
	// up is done when it serves or could not start, ended when it has ended.
	up, ended         context.Context
	markUp, markEnded func()
	// once runs it, unless it was closed before it began.
	once sync.Once
}

func newLive(environment string) *liveSandbox {
	l := &liveSandbox{environment: environment, begun: time.Now(), box: frame.NewInbox[entry](inboxSize)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.rush, l.hurry = context.WithCancel(context.Background())
	l.up, l.markUp = context.WithCancel(context.Background())
	l.ended, l.markEnded = context.WithCancel(context.Background())
	return l
}

// run serves the project until the sandbox is stopped.
func (l *liveSandbox) run(dir string, port int) tea.Cmd {
	return func() tea.Msg {
		defer l.markEnded()
		defer l.markUp()
		var err error
		l.once.Do(func() {
			err = live.Run(l.ctx,
				live.Options{
					Dir: dir, Environment: l.environment, Port: port, Contracts: live.KeptContracts,
					Hurry: l.rush.Done(), Notify: l.tell,
				})
		})
		l.box.End(err)
		return nil
	}
}

// tell takes an event of the sandbox.
func (l *liveSandbox) tell(e sandbox.Event) {
	// The many paths of a large project would push out what matters.
	if e.Kind != live.Path {
		l.box.Put(sandboxEntry(e, time.Now()))
	}
	if e.Kind == live.Listening {
		l.markUp()
	}
}

// ending reports whether stop was called.
func (l *liveSandbox) ending() bool { return l.ctx.Err() != nil }

// close ends it and waits for that, or prevents that it begins.
func (l *liveSandbox) close() {
	l.stop()
	l.once.Do(func() {})
}
