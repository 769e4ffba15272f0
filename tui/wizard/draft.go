package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/tui/frame"
)

func (p *Page) readDraft() tea.Cmd {
	return func() tea.Msg {
		kept, err := p.session.SavedDraft(p.project)
		return frame.ThenMsg(func() tea.Cmd { return p.takeDraft(kept, err) })
	}
}

// takeDraft goes on where the draft ended: at the first step that is open.
func (p *Page) takeDraft(kept *session.SavedDraft, err error) tea.Cmd {
	switch {
	case err != nil:
		return frame.Say(frame.Error, "%v", err)
	case kept == nil:
		return frame.Say(frame.Warn, "the draft is gone")
	}
	p.restore(kept.Answers)
	p.saved = p.version
	cmd := p.toReview()
	if kept.Changed {
		return tea.Batch(cmd, frame.Say(frame.Warn, "the project changed since the draft was saved"))
	}
	return cmd
}

// save keeps the answers as a draft, where that has not been done.
func (p *Page) save() tea.Cmd {
	if p.version == p.saved || p.done != nil {
		return nil
	}
	p.saved = p.version
	store, current, walk := p.session.Drafts, p.project, p.flow.Copy()
	return func() tea.Msg {
		err := store.Save(session.Draft(current, walk))
		return frame.DraftSavedMsg{Where: store.Path(), Err: err}
	}
}

// SaveDraft keeps the answers; the frame asks for it before a quit.
func (p *Page) SaveDraft() tea.Cmd {
	p.saved = -1
	return p.save()
}

// DiscardDraft forgets the answers.
func (p *Page) DiscardDraft() tea.Cmd {
	store := p.session.Drafts
	return func() tea.Msg { return frame.DraftSavedMsg{Err: store.Discard()} }
}
