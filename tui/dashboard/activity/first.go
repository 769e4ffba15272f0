package activity

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/flow/session"
	"gatewright/internal/clock"
	"gatewright/internal/text/prose"
	"gatewright/sandbox"
	"gatewright/tui/frame"
)

// First sends the first request of a project, to the sandbox that runs, or to one that it starts.
func (t *Tab) First(first session.Call) tea.Cmd {
	return tea.Sequence(t.board.Observe(), func() tea.Msg {
		return frame.ThenMsg(func() tea.Cmd {
			if t.live != nil || t.board.Sandbox.Runs() {
				return t.send(first)
			}
			return t.startLive(0, &first)
		})
	})
}

// send sends the first request to the sandbox that runs.
func (t *Tab) send(first session.Call) tea.Cmd {
	return t.board.Job.Do(frame.Task{
		Title: "calling " + prose.Printable(first.Request()),
		Run: func(ctx context.Context, _ frame.Progress, step func(string)) tea.Msg {
			return t.answered(ctx, first, step)
		},
	})
}

// answered sends the first request, and shows its answer.
func (t *Tab) answered(ctx context.Context, first session.Call, step func(string)) tea.Msg {
	x, err := request.SendFirst(ctx, t.board.Dir, request.First{
		Environment: first.Environment, API: first.API, Method: first.Method, Target: first.Target, As: first.As,
	}, step)
	stopped := ctx.Err() != nil
	return frame.ThenMsg(func() tea.Cmd {
		return tea.Batch(t.board.Observe(), t.board.Read(), t.say(first, x, err, stopped))
	})
}

// say says what became of the first request, and which key goes on.
func (t *Tab) say(first session.Call, x request.Exchange, err error, stopped bool) tea.Cmd {
	what := first.Request() + first.Who()
	switch {
	case stopped && !x.Unanswered:
		return frame.Say(frame.Warn, "stopped: %s was not sent; s ends the sandbox, c sends requests", what)
	case stopped:
		return frame.Say(frame.Warn, "stopped waiting for %s; its function may still be running; s ends the sandbox", what)
	case errors.Is(err, sandbox.ErrNotRunning):
		return nil // handleLive says why
	case err != nil:
		return frame.Say(frame.Error, "%s got no response: %v; s starts or ends the sandbox, c sends again", what, err)
	}
	what += " returned " + strconv.Itoa(x.Answer.Status) + " in " + clock.Took(x.Answer.Latency)
	if x.Answer.Status < http.StatusBadRequest {
		return frame.Say(frame.Good, "%s", what)
	}
	level := frame.Warn
	if x.Answer.Status >= http.StatusInternalServerError {
		level = frame.Error
	}
	if why := x.Why(); why != "" {
		what += ": " + why
	}
	return frame.Say(level, "%s; %s", what, t.board.ToTab("Requests", "shows it with its log"))
}
