package console

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/signin"
	"gatewright/flow/request"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/sandbox"
	"gatewright/sandbox/call"
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
		return frame.Say(frame.Error, "the project has no environment; make one with: gatewright add env NAME")
	case errors.Is(p.snapshot.Unusable(f), sandbox.ErrNotRunning):
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

// sendNow sends a form. A user of an environment in AWS, who has not signed in, is asked for the
// password first.
func (p *Page) sendNow(f request.Form) tea.Cmd {
	env := p.snapshot.EnvironmentOf(f)
	if env == nil || env.Cloud == nil || f.As.User == "" || f.Test {
		return p.sendWith(f, "")
	}
	if _, in := p.cloud.Groups(env.Cloud, f.As); in {
		return p.sendWith(f, "")
	}
	return frame.Open(dialog.AskHidden(signInTitle(f), "The password of "+prose.Printable(phrase.Quote(f.As.User)),
		"not shown",
		func(password string) tea.Cmd { return p.sendWith(f, password) },
		func() tea.Cmd { return frame.Say(frame.Info, "%s", notSignedIn) }))
}

const notSignedIn = "not sent: nobody signed in"

func signInTitle(f request.Form) string { return "Sign in to " + prose.Printable(f.Environment) }

// sendWith sends a form outside Update, and adds the answer to the history. A sign-in gets the
// password, unless that is "", and asks for what else it needs.
func (p *Page) sendWith(f request.Form, password string) tea.Cmd {
	snapshot, keeps := p.snapshot, p.options.ReadOnly == ""
	questions := frame.NewQuestions()
	task := frame.Task{
		Title: "waiting for the response",
		Run: func(ctx context.Context, _ frame.Progress, step func(string)) tea.Msg {
			defer questions.End()
			x, err := snapshot.SendSaying(ctx, f, step)
			if err != nil {
				stopped := ctx.Err() != nil
				if keeps && x.Unanswered {
					err = errors.Join(err, snapshot.Record(x))
				}
				return frame.ThenMsg(func() tea.Cmd { return p.ended(p.takeError(err, stopped)) })
			}
			lines := request.Describe(x)
			if keeps {
				err = snapshot.Record(x)
			}
			return frame.ThenMsg(func() tea.Cmd { return p.ended(p.takeAnswer(x, lines, err)) })
		},
	}
	if !f.Cloud || p.job.Running() != "" {
		return p.job.Do(task)
	}
	p.cloud.Ask = func(ctx context.Context, q signin.Question) (string, error) {
		if q.Kind == signin.Password && password != "" {
			return password, nil
		}
		return questions.Text(ctx, signInTitle(f), "The "+prose.Printable(q.String()), q.Hidden())
	}
	p.cloud.MFA = questions.Code
	return tea.Batch(p.job.Do(task), questions.Listen())
}

// ended forgets who is asked for the password, which they hold.
func (p *Page) ended(cmd tea.Cmd) tea.Cmd {
	p.cloud.Ask, p.cloud.MFA = nil, nil
	return cmd
}

// takeError shows why there is no answer.
func (p *Page) takeError(err error, stopped bool) tea.Cmd {
	say := frame.Say(frame.Error, "%v", err)
	switch {
	case stopped && !call.WasSent(err):
		return frame.Say(frame.Info, "stopped: the request was not sent")
	case stopped:
		return frame.Say(frame.Warn, "stopped waiting; the function may still be running")
	case errors.Is(err, frame.ErrNo):
		return frame.Say(frame.Info, "%s", notSignedIn)
	case errors.Is(err, request.ErrMoved), errors.Is(err, sandbox.ErrNotRunning):
		return tea.Batch(p.read, say)
	}
	return say
}

// takeAnswer shows an answer; err is why it could not be added to the history.
func (p *Page) takeAnswer(x request.Exchange, lines []prose.Line, err error) tea.Cmd {
	at := p.forms.At(x.Form)
	at.Previous, at.Last, at.Shown = at.Last, &x, lines
	if at != p.at {
		return frame.Say(frame.Info, "%s %s got a response: %s", x.Form.Method, prose.Printable(x.Form.Path), x.Summary())
	}
	p.comparing, p.picked, p.showing = notCompared, nil, at.Last
	p.answer.Search("")
	p.answer.Show(lines)
	p.inAnswer = p.inAnswer || p.layout.Side.Empty() && !p.typing
	switch {
	case err != nil:
		return frame.Say(frame.Warn, "%v", err)
	case !p.kept():
		return nil
	}
	file := at.Saved
	return func() tea.Msg {
		if differences := request.Differences(*file.Request.Expect, x.Answer); len(differences) > 0 {
			return frame.Say(frame.Warn, "differs from the response in %s: %s", prose.Printable(file.Name), differences[0])()
		}
		return frame.Say(frame.Good, "the response matches the one in %s", prose.Printable(file.Name))()
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
	return tea.Batch(frame.ToClipboard(command), frame.Open(dialog.Text("Sent to the clipboard", command+note)))
}
