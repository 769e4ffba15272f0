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

	"gatewright/deploy"
	"gatewright/prose"
	"gatewright/sandbox"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/widget"
)

// sandboxState says in words what is known of the sandbox.
func (t *Tab) sandboxState() string {
	o := t.board.Sandbox
	switch {
	case t.live != nil && t.live.ending():
		return "the sandbox of this program is ending"
	case t.live != nil && t.live.address == "":
		return "the sandbox is being started here"
	case t.live != nil:
		return "sandbox running at " + t.live.address + ", here, since " + t.live.begun.Local().Format("15:04:05") + "; s ends it"
	case o == nil:
		return "looking for a sandbox ..."
	case o.Err != "":
		return "! a sandbox runs, and cannot be asked: " + o.Err
	case o.Running:
		return fmt.Sprintf("sandbox running at %s, process %d, since %s", o.Address(), o.Status.PID, board.Moment(o.Status.Started))
	}
	return "no sandbox runs; s starts it here"
}

// servedLines are the APIs that a sandbox serves.
func servedLines(o *board.Observed) []prose.Line {
	if !o.Runs() {
		return nil
	}
	var lines []prose.Line
	for _, api := range o.Status.APIs {
		lines = append(lines, prose.Line{Tone: prose.Muted, Text: prose.Short("  API " + api.Label + " of " + api.Environment + " " + api.Endpoint)})
	}
	return lines
}

// startOrEnd starts a sandbox, or ends the one that runs.
func (t *Tab) startOrEnd() widget.Binding {
	label, about, why := "start sandbox", "run the project on this machine until the program ends", ""
	do := func() tea.Cmd { return t.startLive(0) }
	switch o := t.board.Sandbox; {
	case t.live != nil:
		label, about, do = "end sandbox", "end the sandbox that this program started", t.endLive
	case o.Runs():
		label, about, do = "end sandbox", "end the sandbox that was started elsewhere; asks first", t.askToEnd
		if o.Client == nil {
			why = o.Err
		}
	}
	return widget.Sandbox.Does(label, about, do).Shown().Unless(t.board.ReadOnly(), t.board.Job.Busy(), why)
}

// startLive starts a sandbox for the environment at hand; port 0 is the project's.
// The work ends when it serves, or could not start.
func (t *Tab) startLive(port int) tea.Cmd {
	if t.live != nil {
		return nil
	}
	l := newLive(t.board.Snap.Name())
	t.live = l
	t.layOut()
	return tea.Batch(l.run(t.board.Dir, port), t.listen(l.box), t.board.Work("starting the sandbox", func(ctx context.Context, _ frame.Progress) (string, error) {
		select {
		case <-l.up.Done():
			return "", nil
		case <-ctx.Done():
			l.close()
			return "", ctx.Err()
		}
	}))
}

// endLive ends the sandbox of this program. Requests that run get a moment; esc
// takes it from them.
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
	return "The sandbox that runs here ends, and nobody can call it any more."
}

// Close ends the sandbox of this program, and waits for that.
func (t *Tab) Close() {
	if t.live != nil {
		t.live.close()
	}
}

// takeLive learns from what the sandbox of this program told.
func (t *Tab) takeLive(events []happening, ended bool, err error) tea.Cmd {
	l, cmds := t.live, []tea.Cmd{sayCodes(codesSince(time.Time{}, events))}
	starting := l.address == ""
	for _, h := range events {
		if h.what == deploy.LiveListening {
			l.address = strings.TrimPrefix(h.text, "http://")
		}
	}
	if starting && l.address != "" && !l.ending() {
		cmds = append(cmds, frame.Say(frame.Good, "the sandbox runs at %s until this program ends", l.address), t.board.Observe())
	}
	if ended {
		t.live = nil
		cmds = append(cmds, t.whyEnded(err, l.ending()), t.board.Observe())
	}
	return tea.Batch(cmds...)
}

// whyEnded says why the sandbox ended, and offers a free port in the place of one
// that is taken.
func (t *Tab) whyEnded(err error, ending bool) tea.Cmd {
	var taken *sandbox.PortError
	switch {
	case errors.As(err, &taken) && taken.Free != 0:
		text := fmt.Sprintf("Port %d is taken by %s.\nPort %d is free; clients have to know it. The client configuration file names it from then on, until a write for the environment.", taken.Port, cmp.Or(taken.Holder, "another program"), taken.Free)
		return frame.Open(dialog.Sure("Start the sandbox on another port?", text, "Start on "+strconv.Itoa(taken.Free), func() tea.Cmd { return t.startLive(taken.Free) }))
	case err != nil:
		return frame.Say(frame.Error, "the sandbox: %v", err)
	case !ending:
		return frame.Say(frame.Warn, "the sandbox has ended")
	}
	return nil
}

// askToEnd asks whether a sandbox that was started elsewhere is to end.
func (t *Tab) askToEnd() tea.Cmd {
	text := fmt.Sprintf("It was started elsewhere, as process %d, at %s. Whoever uses it loses it; what it keeps stays.", t.board.Sandbox.Status.PID, t.board.Sandbox.Address())
	return frame.Open(dialog.Sure("End the sandbox?", text, "End it", t.endOther))
}

// endOther ends it.
func (t *Tab) endOther() tea.Cmd {
	sandbox := t.board.Sandbox
	if sandbox == nil || sandbox.Client == nil {
		return frame.Say(frame.Warn, "no sandbox runs that could be told to end")
	}
	return t.board.Work("ending the sandbox", func(ctx context.Context, _ frame.Progress) (string, error) {
		return "the sandbox was told to end", sandbox.Client.Stop(ctx)
	})
}

// live is a sandbox that this program runs itself.
type live struct {
	environment string
	begun       time.Time
	// address is where the APIs answer, without the scheme; "" while it is being
	// started.
	address string
	box     *board.Inbox[happening]

	ctx context.Context
	// stop tells it to end: what is running gets a moment, which hurry takes from it.
	stop, hurry func()
	rush        context.Context
	// up is over when it serves or could not start, ended when it serves no more.
	up, ended   context.Context
	isUp, isEnd func()
	// once is its running: it does not begin after whoever closes it was there first.
	once sync.Once
}

func newLive(environment string) *live {
	l := &live{environment: environment, begun: time.Now(), box: board.NewInbox[happening](mostWaiting)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.rush, l.hurry = context.WithCancel(context.Background())
	l.up, l.isUp = context.WithCancel(context.Background())
	l.ended, l.isEnd = context.WithCancel(context.Background())
	return l
}

// run serves the project until it is told to end.
func (l *live) run(dir string, port int) tea.Cmd {
	return func() tea.Msg {
		defer l.isEnd()
		defer l.isUp()
		var err error
		l.once.Do(func() {
			err = deploy.RunLive(l.ctx, deploy.LiveOptions{Dir: dir, Environment: l.environment, Port: port, Hurry: l.rush.Done(), Say: l.tell})
		})
		l.box.End(err)
		return nil
	}
}

// tell takes what the sandbox says.
func (l *live) tell(e sandbox.Event) {
	// Every path of a large project would push out what matters.
	if e.Kind != deploy.LivePath {
		l.box.Put(happenedTo(e, time.Now()))
	}
	if e.Kind == deploy.LiveListening {
		l.isUp()
	}
}

// ending reports whether it was told to end.
func (l *live) ending() bool { return l.ctx.Err() != nil }

// close ends it and waits for that, or has it never begin.
func (l *live) close() {
	l.stop()
	l.once.Do(func() {})
}
