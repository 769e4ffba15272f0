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

// send sends a form, and asks first if that is needed.
func (p *Page) send(f request.Form) tea.Cmd {
	f = f.Copy()
	env := p.snapshot.EnvironmentOf(f)
	switch {
	case p.options.ReadOnly != "" && f.Test:
		return frame.Say(frame.Warn, "no test is sent from here: %s", p.options.ReadOnly)
	case p.options.ReadOnly != "" && f.Changes():
		return frame.Say(frame.Warn, "only GET, HEAD and OPTIONS are sent from here: %s", p.options.ReadOnly)
	case env == nil:
		return frame.Say(frame.Error, "the project has no environment; make one with: gatewright add env")
	case errors.Is(p.snapshot.Down, sandbox.ErrNotRunning):
		return frame.Say(frame.Error, "%s", noSandbox)
	case env.Closed != "":
		return frame.Say(frame.Error, "environment %s: %s", prose.Printable(env.Name), prose.Printable(env.Closed))
	}
	if _, err := f.Request(); err != nil {
		return p.toFault(f, err)
	}
	at := p.forms.At(f)
	if f.Deletes() && !(at.Chosen && f.Same(at.Form)) {
		return frame.Open(dialog.Sure("Send "+f.Method+"?", f.DeleteQuestion(), "Send "+f.Method, func() tea.Cmd {
			at.Chosen = at.Chosen || f.Same(at.Form)
			return p.agree(f)
		}))
	}
	return p.agree(f)
}

// agree sends a form, and asks first if its environment is not served from the working tree.
func (p *Page) agree(f request.Form) tea.Cmd {
	env := p.snapshot.EnvironmentOf(f)
	if text, word := p.snapshot.Agreement(f, p.agreed[f.Environment]); env != nil && text != "" {
		return frame.Open(dialog.Agree("Send to "+env.Name+"?", text, "Send", word, func() tea.Cmd {
			p.agreed[f.Environment] = true
			return p.sendNow(f)
		}))
	}
	return p.sendNow(f)
}

// toFault shows an error of a form, and moves the cursor to its row.
func (p *Page) toFault(f request.Form, err error) tea.Cmd {
	var problem *model.Problem
	if errors.As(err, &problem) && f.Equal(p.at.Form) {
		// A label may be longer than the name of the field.
		isRow := func(r request.Row) bool {
			return strings.HasPrefix(strings.ToLower(r.Label), strings.ToLower(problem.Field))
		}
		if i := slices.IndexFunc(p.rows.Rows(), isRow); i >= 0 {
			p.rows.To(rowID(p.rows.Rows()[i]))
			p.inAnswer = false
		}
	}
	return frame.Say(frame.Error, "%v", err)
}

// sendNow sends a form outside Update, and adds the answer to the history.
func (p *Page) sendNow(f request.Form) tea.Cmd {
	snapshot, keeps := p.snapshot, p.options.ReadOnly == ""
	return p.job.Begin("waiting for the answer", func(ctx context.Context, _ frame.Progress) tea.Msg {
		x, err := snapshot.Send(ctx, f)
		if err != nil {
			stopped := ctx.Err() != nil
			return frame.ThenMsg(func() tea.Cmd { return p.takeError(err, stopped) })
		}
		lines := request.Describe(x)
		if keeps {
			err = snapshot.Record(x)
		}
		return frame.ThenMsg(func() tea.Cmd { return p.takeAnswer(x, lines, err) })
	})
}

// takeError shows why there is no answer.
func (p *Page) takeError(err error, stopped bool) tea.Cmd {
	say := frame.Say(frame.Error, "%v", err)
	switch {
	case stopped:
		return frame.Say(frame.Warn, "stopped waiting; the function may still be running")
	case errors.Is(err, request.ErrMoved), errors.Is(err, sandbox.ErrNotRunning):
		return tea.Batch(p.read, say)
	}
	return say
}

// takeAnswer shows an answer; err is why it could not be added to the history.
func (p *Page) takeAnswer(x request.Exchange, lines []prose.Line, err error) tea.Cmd {
	at := p.forms.At(x.Form)
	at.Previous, at.Last = at.Last, &x
	if at != p.at {
		return frame.Say(frame.Info, "%s %s was answered: %s", x.Form.Method, prose.Printable(x.Form.Path), x.Summary())
	}
	p.answer.Show(lines)
	p.comparing = false
	p.inAnswer = p.inAnswer || p.layout.Side.Empty() && !p.typing
	if err != nil {
		return frame.Say(frame.Warn, "%v", err)
	}
	return nil
}

// showAnswer shows the answer to the form at hand.
func (p *Page) showAnswer() {
	p.comparing = false
	if p.at.Last == nil {
		p.answer.Show(nil)
		return
	}
	p.answer.Show(request.Describe(*p.at.Last))
}

// compare switches between the answer and its difference from the previous one.
func (p *Page) compare() {
	if p.comparing = !p.comparing; p.comparing {
		p.answer.Show(request.Compare(*p.at.Previous, *p.at.Last))
	} else {
		p.answer.Show(request.Describe(*p.at.Last))
	}
}

// copyCurl copies the request as a command, and shows it, because the terminal may have
// no clipboard.
func (p *Page) copyCurl() tea.Cmd {
	command, note, err := p.snapshot.Curl(p.at.Form)
	if err != nil {
		return p.toFault(p.at.Form, err)
	}
	if note != "" {
		note = "\n\n" + note + "."
	}
	return tea.Batch(tea.SetClipboard(command), frame.Open(dialog.Text("Sent to the clipboard", command+note)))
}

func (p *Page) copyBody() tea.Cmd {
	body := p.at.Last.Answer.Body
	if len(body) == 0 {
		return frame.Say(frame.Warn, "the answer has no body")
	}
	return tea.Batch(tea.SetClipboard(string(body)), frame.Say(frame.Info, "sent to the clipboard: %s", model.Count(len(body), "byte")))
}

// save writes the form as the function's event.json, and asks before it replaces one.
func (p *Page) save() tea.Cmd {
	snapshot, f := p.snapshot, p.at.Form.Copy()
	return func() tea.Msg {
		plan, err := snapshot.PlanEvent(f)
		write := func() tea.Msg {
			if err := plan.Write(); err != nil {
				return frame.Say(frame.Error, "%v", err)()
			}
			return frame.Say(frame.Good, "%s is written", plan.Name)()
		}
		return frame.ThenMsg(func() tea.Cmd {
			switch {
			case err != nil:
				return p.toFault(p.at.Form, err)
			case plan.Diff == "":
				return frame.Say(frame.Info, "%s has this request already", plan.Name)
			case !plan.Replaces:
				return write
			}
			return frame.Open(dialog.Agree("Replace "+plan.Name+"?", strings.TrimSpace(plan.Diff), "Replace", "", func() tea.Cmd { return write }))
		})
	}
}
