package console

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

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
	case p.sending != nil:
		return nil
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
		p.toFault(f, err)
		return frame.Say(frame.Error, "%v", err)
	}
	if text, word := p.world.Agreement(f, p.agreed[f.Environment]); text != "" {
		p.pending = f
		return frame.Open(dialog.Agree(sendDialog, "Send to "+env.Name+"?", text, "Send", word))
	}
	return p.begun(f)
}

// toFault brings the cursor to what is not good.
func (p *Page) toFault(f request.Form, err error) {
	var problem *model.Problem
	if !errors.As(err, &problem) || !f.Equal(p.form) {
		return
	}
	for i, r := range p.rows {
		label := strings.ToLower(p.form.Label(r))
		if label == strings.ToLower(problem.Field) || r.Kind == request.BelowRow && problem.Field == "below" {
			value := p.form.Text(r)
			if r.Kind == request.ValueRow && value != "" {
				continue
			}
			p.at, p.inAnswer = i, false
			return
		}
	}
}

// begun sends a form, away from Update.
func (p *Page) begun(f request.Form) tea.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	s := &sending{form: f, began: time.Now(), cancel: cancel}
	p.sending = s
	p.drawn.stale = true
	w, keeps := p.world, p.options.ReadOnly == ""
	run := func() tea.Msg {
		defer cancel()
		msg := answeredMsg{of: p, s: s}
		msg.exchange, msg.err = w.Send(ctx, f)
		if ctx.Err() != nil && msg.err != nil {
			msg.err = errStopped
		}
		if msg.err != nil {
			return msg
		}
		msg.lines = request.Tell(msg.exchange)
		if keeps {
			msg.world, msg.kept = w.Keep(msg.exchange)
		}
		return msg
	}
	return tea.Batch(run, p.second())
}

var errStopped = errors.New("stopped waiting; the function may go on")

// second draws again how long the answer is waited for.
func (p *Page) second() tea.Cmd {
	s := p.sending
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{p, s} })
}

func (p *Page) takeAnswer(msg answeredMsg) tea.Cmd {
	p.drawn.stale = true
	p.sending = nil
	switch {
	case errors.Is(msg.err, errStopped):
		return frame.Say(frame.Warn, "%v", msg.err)
	case errors.Is(msg.err, request.ErrMoved), errors.Is(msg.err, sandbox.ErrNotRunning):
		return tea.Batch(p.read(), frame.Say(frame.Error, "%v", msg.err))
	case msg.err != nil:
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.before, p.last = p.last, &msg.exchange
	p.answer.show(msg.lines)
	p.inAnswer = p.inAnswer || p.layout.Side.Empty()
	if msg.world != nil {
		// What was read meanwhile is newer than the rest of it.
		world := *p.world
		world.Sent = msg.world.Sent
		p.world = &world
	}
	if msg.kept != nil {
		return frame.Say(frame.Warn, "%v", msg.kept)
	}
	return nil
}

// compare shows in what the last answer differs from the one before, or the answer.
func (p *Page) compare() {
	if p.before == nil {
		return
	}
	if p.answer.comparing {
		p.answer.show(request.Tell(*p.last))
		return
	}
	p.answer.show(request.Compare(*p.before, *p.last))
	p.answer.comparing = true
}

// copyCurl sends the request as a command to the clipboard, and shows it: the
// terminal may have no clipboard.
func (p *Page) copyCurl() tea.Cmd {
	command, note, err := p.world.Curl(p.form)
	if err != nil {
		p.toFault(p.form, err)
		return frame.Say(frame.Error, "%v", err)
	}
	if note != "" {
		note = "\n\n" + note + "."
	}
	return tea.Batch(tea.SetClipboard(command), frame.Open(dialog.Text(curlDialog, "Sent to the clipboard", command+note)))
}

func (p *Page) copyBody() tea.Cmd {
	if p.last == nil || len(p.last.Answer.Body) == 0 {
		return frame.Say(frame.Warn, "the answer has no body")
	}
	return tea.Batch(tea.SetClipboard(string(p.last.Answer.Body)), frame.Say(frame.Info, "sent to the clipboard: %s", model.Count(len(p.last.Answer.Body), "byte")))
}

// chooseEarlier offers what was sent before, and the function's event.json.
func (p *Page) chooseEarlier() tea.Cmd {
	return p.choose(earlierDialog, "Fill in", p.world.Earlier(p.form))
}

// fillIn fills in what was chosen, away from Update.
func (p *Page) fillIn(item string) tea.Cmd {
	w, f := p.world, p.form.Copy()
	return func() tea.Msg {
		filled, err := w.FillIn(f, item)
		return filledMsg{p, filled, err}
	}
}

func (p *Page) takeFilled(msg filledMsg) tea.Cmd {
	p.drawn.stale = true
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	p.form = msg.form
	p.refresh()
	return p.callAs(p.form.As)
}

// plan works out what saving the event changes, away from Update.
func (p *Page) plan() tea.Cmd {
	w, f := p.world, p.form.Copy()
	return func() tea.Msg {
		s, err := w.PlanEvent(f)
		return plannedMsg{p, s, err}
	}
}

// askToSave asks before a file is replaced.
func (p *Page) askToSave(msg plannedMsg) tea.Cmd {
	p.drawn.stale = true
	p.saving = msg.saving
	switch {
	case msg.err != nil:
		p.toFault(p.form, msg.err)
		return frame.Say(frame.Error, "%v", msg.err)
	case msg.saving.Same():
		return frame.Say(frame.Info, "%s has this request already", msg.saving.Name())
	case !msg.saving.Replaces():
		return p.save()
	}
	return frame.Open(dialog.Agree(saveDialog, "Replace "+msg.saving.Name()+"?", strings.TrimSpace(msg.saving.Diff()), "Replace", ""))
}

func (p *Page) save() tea.Cmd {
	w, s := p.world, p.saving
	return func() tea.Msg { return savedMsg{p, s.Name(), w.Save(s)} }
}

func saved(msg savedMsg) tea.Cmd {
	if msg.err != nil {
		return frame.Say(frame.Error, "%v", msg.err)
	}
	return frame.Say(frame.Good, "%s is written", msg.name)
}

// waited says how long the answer is waited for.
func (s *sending) waited() string {
	took := time.Since(s.began).Truncate(time.Second)
	if took == 0 {
		return "sending ..."
	}
	return fmt.Sprintf("waiting for %s ... esc stops waiting", took)
}
