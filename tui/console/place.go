package console

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow/request"
	"gatewright/sandbox/call"
	"gatewright/tui/frame"
	"gatewright/tui/route"
)

// begin goes to the form that the route asks for. A path that had one in this run has it
// still.
func (p *Page) begin() tea.Cmd {
	s := p.start
	form := p.snapshot.Begin(request.Form{
		API: s.API, Path: s.Path, Method: s.Method, Environment: s.Environment,
		Test: s.Test,
	})
	if s.Filled.Target != "" {
		return p.fillIn(form, request.Wire{
			Method: form.Method, Target: s.Filled.Target, Headers: strings.Split(s.Filled.Headers, "\n"), Body: s.Filled.Body,
			As: s.Filled.As, Test: s.Test,
		})
	}
	p.goTo(form)
	p.at.Form.Test = s.Test
	if s.Method != "" && p.at.Form.Method != form.Method {
		p.at.Form.Method, p.at.Chosen = form.Method, false
	}
	if s.Filled.As != "" {
		return p.setCaller(call.ReadSigner(s.Filled.As))
	}
	return nil
}

// Reopen goes to the form of the route again: since it was opened, another path may have been
// chosen here.
func (p *Page) Reopen() tea.Cmd {
	if p.snapshot == nil || p.start.Path == "" && p.start.Filled == (route.Filled{}) {
		return nil
	}
	p.typing = false
	cmd := p.begin()
	p.refresh()
	return cmd
}

// goTo shows the form that is kept for the API and the path of f, and the answer to it.
func (p *Page) goTo(f request.Form) { p.show(p.forms.At(f)) }

func (p *Page) show(at *request.Kept) {
	if at == p.at {
		return
	}
	p.at = at
	p.showAnswer()
}

// fillIn fills in a request as it is sent, in the form of the path that serves it.
func (p *Page) fillIn(f request.Form, w request.Wire) tea.Cmd {
	filled, err := p.snapshot.FillIn(f, w)
	if err != nil {
		p.goTo(f)
		p.refresh()
		return frame.Say(frame.Warn, "%v", err)
	}
	return p.fill(filled)
}

// fill puts a form instead of the one that is kept for its path. Its method counts as not
// chosen by the person.
func (p *Page) fill(filled request.Form) tea.Cmd {
	byHand := p.at.Form.ByHand || filled.As != p.at.Form.As
	p.goTo(filled)
	p.at.Form, p.at.Chosen, p.at.Saved = filled.Copy(), false, nil
	groups := p.setCaller(filled.As)
	p.at.Form.ByHand = byHand
	return groups
}

// place goes where the form leads after its environment, API or path was chosen.
func (p *Page) place(change func(f *request.Form)) {
	next := p.at.Form.Copy()
	change(&next)
	p.snapshot.Complete(&next)
	switch {
	case next.API != p.at.Form.API:
		p.show(p.forms.Move(next))
	case next.Path != p.at.Form.Path:
		p.goTo(next)
	default:
		p.at.Form = next
	}
	p.refresh()
}
