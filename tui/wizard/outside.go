package wizard

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/flow"
	"gatewright/flow/session"
	"gatewright/internal/text/prose"
	"gatewright/project"
	"gatewright/tui/frame"
	"gatewright/tui/outside"
)

// Watches look at the files.
func (p *Page) Watches() []frame.Watch {
	return []frame.Watch{outside.Watch(p.session.Dir, func(string) tea.Cmd { return p.follow() })}
}

// follow reads the files again, and lays the answers on what somebody else changed in them.
func (p *Page) follow() tea.Cmd {
	if p.done != nil {
		return nil
	}
	was := p.project
	return func() tea.Msg {
		now, news, err := p.session.Since(was)
		return frame.ThenMsg(func() tea.Cmd { return p.take(was, now, news, err) })
	}
}

// take takes a reading of the files, and says what is new in it. was is the reading before.
func (p *Page) take(was, now *project.Project, news session.News, err error) tea.Cmd {
	switch {
	case was != p.project || p.done != nil || p.review.writing:
		return nil
	case err != nil:
		return frame.Say(frame.Warn, "%s", prose.PrintableStart(err.Error()))
	case !news.Changed:
		return p.plan()
	}
	all := tea.Batch(p.lay(now), outside.Say("", news))
	if p.renewProposal != nil {
		all = tea.Batch(all, p.renewProposal())
	}
	return all
}

// lay lays the answers on a reading of the project. What both changed is asked first.
func (p *Page) lay(now *project.Project) tea.Cmd {
	m := p.merging.Again()
	p.session.Take(now)
	p.flow.Rebase(now.Backend, p.session.NewName(), m)
	if open := m.Err(); open != nil {
		return outside.Ask(open, func() tea.Cmd { return p.lay(now) }, p.leaveReview)
	}
	p.project = now
	entered := p.merging.Again()
	if p.entered.Rebase(now.Backend, p.flow.NewProject, entered); len(entered.Open) > 0 {
		p.entered = p.flow.Copy()
	}
	if slices.Contains(p.flow.Steps(), p.step) {
		p.form.lay()
	} else {
		p.goTo(cmp.Or(p.flow.Around(p.step)))
	}
	if p.Dirty() {
		return p.changed()
	}
	return p.plan()
}

// leaveReview goes back to the answers: while a conflict is open, there is nothing to review.
func (p *Page) leaveReview() tea.Cmd {
	if p.step.Kind != flow.Review {
		return nil
	}
	return p.previous()
}
