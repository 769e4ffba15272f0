package dashboard

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// The dialogs about the sandbox.
const (
	stopDialog = "activity/stop"
	portDialog = "activity/port"
)

// actions are the same on every row.
func (a *activityTab) actions(int) []action {
	return []action{
		{frame.Binding{Keys: []string{"p"}, Label: "push", Help: "push the environment; shows first what that would do", Footer: true, Disabled: a.noPush()}, a.preparePush},
		a.sandboxAction(),
		{frame.Binding{Keys: []string{"f"}, Label: "follow", Help: "go to the last row and stay on it as more come", Disabled: a.noFollow()}, a.follow},
	}
}

// sandboxAction starts a sandbox, or ends the one that runs.
func (a *activityTab) sandboxAction() action {
	b := frame.Binding{Keys: []string{"s"}, Label: "start sandbox", Help: "run the project on this machine until the program ends", Footer: true, Disabled: a.page.readOnly()}
	if w := a.page.working; w != nil && b.Disabled == "" {
		b.Disabled = "wait for the end of " + w.title
	}
	switch {
	case a.live != nil:
		b.Label, b.Help = "end sandbox", "end the sandbox that this program started"
		return action{b, a.endLive}
	case a.observed != nil && a.observed.running:
		b.Label, b.Help = "end sandbox", "end the sandbox that was started elsewhere; asks first"
		if a.observed.client == nil && b.Disabled == "" {
			b.Disabled = a.observed.err
		}
		return action{b, a.askToEnd}
	}
	return action{b, func() tea.Cmd { return a.startLive(0) }}
}

func (a *activityTab) noFollow() string {
	if len(a.feed) == 0 {
		return "nothing has happened in a sandbox yet"
	}
	return ""
}

// follow brings the cursor to the last row, where it stays until a person moves it.
func (a *activityTab) follow() tea.Cmd {
	a.follows = true
	if at := a.page.place("activity"); at != none {
		a.page.lists[at].toRow(len(a.lines) - 1)
	}
	return nil
}

// startLive starts a sandbox for the environment at hand; port 0 is the project's.
// The work ends when it serves, or could not start.
func (a *activityTab) startLive(port int) tea.Cmd {
	environment := ""
	if a.env != nil {
		environment = a.env.Name
	}
	l := newLive(environment)
	a.live = l
	dir := a.page.dir
	wait := a.page.work("starting the sandbox", func(ctx context.Context) (string, error) {
		select {
		case <-l.up:
			return "", nil
		case <-ctx.Done():
			l.cancel()
			<-l.up
			return "", ctx.Err()
		}
	})
	return tea.Batch(l.start(dir, port), wait)
}

// endLive ends the sandbox of this program. Requests that run get a moment; esc
// takes it from them.
func (a *activityTab) endLive() tea.Cmd {
	l := a.live
	l.stop()
	return a.page.work("ending the sandbox", func(ctx context.Context) (string, error) {
		select {
		case <-l.ended:
		case <-ctx.Done():
			l.hurry()
			<-l.ended
		}
		return "the sandbox has ended", nil
	})
}

// takeLive takes what the sandbox of this program told.
func (a *activityTab) takeLive(msg liveSaid) tea.Cmd {
	a.live.take(msg.events)
	a.tell(msg.events)
	cmds := []tea.Cmd{a.sayOwnCodes(msg.events)}
	if a.live.address != "" && !a.live.announced {
		a.live.announced = true
		cmds = append(cmds, frame.Say(frame.Good, "the sandbox runs at %s until this program ends", a.live.address), a.page.ask())
	}
	if !msg.ended {
		return tea.Batch(append(cmds, a.live.listen())...)
	}
	ending := a.live.ending()
	a.live = nil
	a.layOutFeed()
	return tea.Batch(append(cmds, a.whyEnded(msg.err, ending), a.page.ask())...)
}

// sayOwnCodes shows codes in the status line as they come.
func (a *activityTab) sayOwnCodes(events []happening) tea.Cmd {
	var codes []happening
	for _, h := range events {
		if h.what == codeWord {
			codes = append(codes, h)
		}
	}
	return sayCodes(codes)
}

// whyEnded says why the sandbox ended, and offers a free port in the place of one
// that is taken.
func (a *activityTab) whyEnded(err error, ending bool) tea.Cmd {
	var taken *sandbox.PortError
	switch {
	case errors.As(err, &taken) && taken.Free != 0:
		by := taken.Holder
		if by == "" {
			by = "another program"
		}
		a.freePort = taken.Free
		text := fmt.Sprintf("Port %d is taken by %s.\nPort %d is free; clients have to know it. The client configuration file names it from then on, until a write for the environment.", taken.Port, by, taken.Free)
		return frame.Open(dialog.Confirm(portDialog, "Start the sandbox on another port?", text,
			dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "start", Label: "Start on " + strconv.Itoa(taken.Free)}))
	case err != nil:
		return frame.Say(frame.Error, "the sandbox: %v", err)
	case !ending:
		return frame.Say(frame.Warn, "the sandbox has ended")
	}
	return nil
}

// askToEnd asks whether a sandbox that was started elsewhere is to end.
func (a *activityTab) askToEnd() tea.Cmd {
	text := fmt.Sprintf("It was started elsewhere, as process %d, at %s. Whoever uses it loses it; what it keeps stays.", a.observed.status.PID, a.observed.address())
	return frame.Open(dialog.Confirm(stopDialog, "End the sandbox?", text,
		dialog.Button{ID: "cancel", Label: "Cancel", Cancel: true}, dialog.Button{ID: "end", Label: "End it"}))
}

// endOther ends it.
func (a *activityTab) endOther() tea.Cmd {
	if a.observed == nil || a.observed.client == nil {
		return frame.Say(frame.Warn, "no sandbox runs that could be told to end")
	}
	client := a.observed.client
	return a.page.work("ending the sandbox", func(ctx context.Context) (string, error) {
		return "the sandbox was told to end", client.Stop(ctx)
	})
}

// handle takes the messages of the tab.
func (a *activityTab) handle(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case liveSaid:
		if msg.of == a.live {
			return a.takeLive(msg), true
		}
	case toPush:
		if msg.of == a {
			return a.ask(msg), true
		}
	case pushedSo:
		if msg.of == a {
			return a.takePushed(msg), true
		}
	case compared:
		cmd, taken := a.status.handle(msg)
		if taken {
			a.layOut()
		}
		return cmd, taken
	case dialog.Result:
		return a.answered(msg)
	}
	return nil, false
}

// answered does what a dialog of the tab ended with.
func (a *activityTab) answered(msg dialog.Result) (tea.Cmd, bool) {
	if !strings.HasPrefix(msg.ID, "activity/") {
		return nil, false
	}
	switch {
	case msg.ID == pushDialog && msg.Action == dialog.Agreed{}:
		return a.push(), true
	case msg.ID == stopDialog && msg.Action == dialog.Pressed("end"):
		return a.endOther(), true
	case msg.ID == portDialog && msg.Action == dialog.Pressed("start") && a.live == nil:
		return a.startLive(a.freePort), true
	}
	return nil, true
}
