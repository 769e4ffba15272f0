package console

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/model"
	"gatewright/prose"
	"gatewright/request"
	"gatewright/sandbox"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
)

// send sends a form, after a yes where one is needed.
func (p *Page) send(f request.Form) tea.Cmd {
	f = f.Copy()
	env := p.world.Of(f)
	switch {
	case p.options.ReadOnly != "" && f.Test:
		return frame.Say(frame.Warn, "no test is sent from here: %s", p.options.ReadOnly)
	case p.options.ReadOnly != "" && f.Changes():
		return frame.Say(frame.Warn, "only GET, HEAD and OPTIONS are sent from here: %s", p.options.ReadOnly)
	case env == nil:
		return frame.Say(frame.Error, "the project has no environment; make one with: gatewright add env")
	case errors.Is(p.world.Down, sandbox.ErrNotRunning):
		return frame.Say(frame.Error, "%s", noSandbox)
	case env.Closed != "":
		return frame.Say(frame.Error, "environment %s: %s", prose.Fit(env.Name), prose.Fit(env.Closed))
	}
	if _, err := f.Request(); err != nil {
		return p.toFault(f, err)
	}
	if text, word := p.world.Agreement(f, p.agreed[f.Environment]); text != "" {
		return frame.Open(dialog.Agree("Send to "+env.Name+"?", text, "Send", word, func() tea.Cmd {
			p.agreed[f.Environment] = true
			return p.begun(f)
		}))
	}
	return p.begun(f)
}

// toFault says what is not good in a form, and brings the cursor to it.
func (p *Page) toFault(f request.Form, err error) tea.Cmd {
	var problem *model.Problem
	if errors.As(err, &problem) && f.Equal(p.form) {
		// A label may say more than the name of what is not good.
		isIt := func(r row) bool { return strings.HasPrefix(strings.ToLower(r.label), strings.ToLower(problem.Field)) }
		if i := slices.IndexFunc(p.rows.Rows(), isIt); i >= 0 {
			p.rows.To(rowID(p.rows.Rows()[i].Row))
			p.inAnswer = false
		}
	}
	return frame.Say(frame.Error, "%v", err)
}

var errStopped = errors.New("stopped waiting; the function may go on")

// begun sends a form, away from Update.
func (p *Page) begun(f request.Form) tea.Cmd {
	w, keeps := p.world, p.options.ReadOnly == ""
	return p.job.Begin("waiting for the answer", func(ctx context.Context, _ frame.Progress) tea.Msg {
		var msg answeredMsg
		msg.exchange, msg.err = w.Send(ctx, f)
		switch {
		case msg.err != nil && ctx.Err() != nil:
			msg.err = errStopped
		case msg.err == nil:
			msg.lines, msg.sent = request.Tell(msg.exchange), w.Sent
			if keeps {
				w, msg.kept = w.Keep(msg.exchange)
				msg.sent = w.Sent
			}
		}
		return msg
	})
}

func (p *Page) takeAnswer(msg answeredMsg) tea.Cmd {
	switch {
	case errors.Is(msg.err, errStopped):
		return frame.Say(frame.Warn, "%v", msg.err)
	case errors.Is(msg.err, request.ErrMoved), errors.Is(msg.err, sandbox.ErrNotRunning):
		return tea.Batch(p.look, frame.Say(frame.Error, "%v", msg.err))
	case msg.err != nil:
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.before, p.last = p.last, &msg.exchange
	p.answer.Show(msg.lines)
	p.comparing = false
	p.inAnswer = p.inAnswer || p.layout.Side.Empty() && !p.typing
	// What was read meanwhile is newer than the rest of what was known when it was sent.
	world := *p.world
	world.Sent = msg.sent
	p.world = &world
	if msg.kept != nil {
		return frame.Say(frame.Warn, "%v", msg.kept)
	}
	return nil
}

// compare shows in what the last answer differs from the one before, or the answer.
func (p *Page) compare() {
	if p.comparing = !p.comparing; p.comparing {
		p.answer.Show(request.Compare(*p.before, *p.last))
	} else {
		p.answer.Show(request.Tell(*p.last))
	}
}

// copyCurl sends the request as a command to the clipboard, and shows it: the
// terminal may have no clipboard.
func (p *Page) copyCurl() tea.Cmd {
	command, note, err := p.world.Curl(p.form)
	if err != nil {
		return p.toFault(p.form, err)
	}
	if note != "" {
		note = "\n\n" + note + "."
	}
	return tea.Batch(tea.SetClipboard(command), frame.Open(dialog.Text("Sent to the clipboard", command+note)))
}

func (p *Page) copyBody() tea.Cmd {
	body := p.last.Answer.Body
	if len(body) == 0 {
		return frame.Say(frame.Warn, "the answer has no body")
	}
	return tea.Batch(tea.SetClipboard(string(body)), frame.Say(frame.Info, "sent to the clipboard: %s", model.Count(len(body), "byte")))
}

// plan works out what saving the event changes, away from Update.
func (p *Page) plan() tea.Cmd {
	w, f := p.world, p.form.Copy()
	return func() tea.Msg {
		s, err := w.PlanEvent(f)
		return plannedMsg{s, err}
	}
}

// askToSave asks before a file is replaced.
func (p *Page) askToSave(msg plannedMsg) tea.Cmd {
	save := func() tea.Cmd {
		w, s := p.world, msg.saving
		return func() tea.Msg {
			if err := w.Save(s); err != nil {
				return frame.Say(frame.Error, "%v", err)()
			}
			return frame.Say(frame.Good, "%s is written", s.Name())()
		}
	}
	switch {
	case msg.err != nil:
		return p.toFault(p.form, msg.err)
	case msg.saving.Same():
		return frame.Say(frame.Info, "%s has this request already", msg.saving.Name())
	case !msg.saving.Replaces():
		return save()
	}
	return frame.Open(dialog.Agree("Replace "+msg.saving.Name()+"?", strings.TrimSpace(msg.saving.Diff()), "Replace", "", save))
}
