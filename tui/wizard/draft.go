package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/tui/frame"
)

func (p *Page) readDraft() tea.Cmd {
	return func() tea.Msg {
		saved, err := p.session.SavedDraft(p.project)
		return frame.ThenMsg(func() tea.Cmd { return p.takeDraft(saved, err) })
	}
}

// takeDraft restores the answers of the draft, and goes to the first unanswered step.
func (p *Page) takeDraft(saved *session.SavedDraft, err error) tea.Cmd {
	switch {
	case err != nil:
		return frame.Say(frame.Error, "%v", err)
	case saved == nil:
		return frame.Say(frame.Warn, "the draft no longer exists")
	}
	p.restore(saved.Answers)
	p.saved = p.version
	cmd := p.toReview()
	if saved.Changed {
		return tea.Batch(cmd, frame.Say(frame.Warn, "the project changed since the draft was saved"))
	}
	return cmd
}

// save saves the answers as a draft if they have changed.
func (p *Page) save() tea.Cmd {
	if p.version == p.saved || p.done != nil {
		return nil
	}
	p.saved = p.version
	store, current, answers := p.session.Drafts, p.project, p.flow.Copy()
	return func() tea.Msg {
		err := store.Save(session.Draft(current, answers))
		return frame.DraftSavedMsg{Where: store.Path(), Err: err}
	}
}

// SaveDraft saves the answers as a draft; the frame calls it before quitting.
func (p *Page) SaveDraft() tea.Cmd {
	p.saved = -1
	return p.save()
}

// DiscardDraft removes the draft.
func (p *Page) DiscardDraft() tea.Cmd {
	store := p.session.Drafts
	return func() tea.Msg { return frame.DraftSavedMsg{Err: store.Discard()} }
}
