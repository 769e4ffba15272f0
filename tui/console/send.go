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
	env := p.world.EnvironmentOf(f)
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
		return frame.Say(frame.Error, "environment %s: %s", prose.Printable(env.Name), prose.Printable(env.Closed))
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
		isIt := func(r request.Row) bool {
			return strings.HasPrefix(strings.ToLower(r.Label), strings.ToLower(problem.Field))
		}
		if i := slices.IndexFunc(p.rows.Rows(), isIt); i >= 0 {
			p.rows.To(rowID(p.rows.Rows()[i]))
			p.inAnswer = false
		}
	}
	return frame.Say(frame.Error, "%v", err)
}

// begun sends a form, and tells and keeps its answer, away from Update.
func (p *Page) begun(f request.Form) tea.Cmd {
	w, keeps := p.world, p.options.ReadOnly == ""
	return p.job.Begin("waiting for the answer", func(ctx context.Context, _ frame.Progress) tea.Msg {
		x, err := w.Send(ctx, f)
		if err != nil {
			stopped := ctx.Err() != nil
			return frame.ThenMsg(func() tea.Cmd { return p.unanswered(err, stopped) })
		}
		lines := request.Describe(x)
		if keeps {
			err = w.Record(x)
		}
		return frame.ThenMsg(func() tea.Cmd { return p.take(x, lines, err) })
	})
}

// unanswered says why there is no answer.
func (p *Page) unanswered(err error, stopped bool) tea.Cmd {
	say := frame.Say(frame.Error, "%v", err)
	switch {
	case stopped:
		return frame.Say(frame.Warn, "stopped waiting; the function may go on")
	case errors.Is(err, request.ErrMoved), errors.Is(err, sandbox.ErrNotRunning):
		return tea.Batch(p.look, say)
	}
	return say
}

// take shows an answer, as it is told; err is why the request is not kept.
func (p *Page) take(x request.Exchange, lines []prose.Line, err error) tea.Cmd {
	p.before, p.last = p.last, &x
	p.answer.Show(lines)
	p.comparing = false
	p.inAnswer = p.inAnswer || p.layout.Side.Empty() && !p.typing
	if err != nil {
		return frame.Say(frame.Warn, "%v", err)
	}
	return nil
}

// compare shows in what the last answer differs from the one before, or the answer.
func (p *Page) compare() {
	if p.comparing = !p.comparing; p.comparing {
		p.answer.Show(request.Compare(*p.before, *p.last))
	} else {
		p.answer.Show(request.Describe(*p.last))
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

// save works out what saving the event changes, asks before a file is replaced, and
// writes it: all but the question away from Update.
func (p *Page) save() tea.Cmd {
	w, f := p.world, p.form.Copy()
	return func() tea.Msg {
		s, err := w.PlanEvent(f)
		write := func() tea.Msg {
			if err := s.Write(); err != nil {
				return frame.Say(frame.Error, "%v", err)()
			}
			return frame.Say(frame.Good, "%s is written", s.Name)()
		}
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case err != nil:
				return p.toFault(p.form, err)
			case s.Diff == "":
				return frame.Say(frame.Info, "%s has this request already", s.Name)
			case !s.Replaces:
				return write
			}
			return frame.Open(dialog.Agree("Replace "+s.Name+"?", strings.TrimSpace(s.Diff), "Replace", "", func() tea.Cmd { return write }))
		})
	}
}
