package wizard

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/tui/frame"
)

// draftState is which answers are saved.
type draftState struct {
	// version counts changes of the answers, saved is the version of the draft.
	version, saved int
	// saving says that a save is running: the next one waits for it, so that the latest
	// answers are written last.
	saving bool
}

func (p *Page) readDraft() tea.Cmd {
	return func() tea.Msg {
		saved, err := p.session.SavedDraft(p.project)
		return frame.ThenMsg(func() tea.Cmd { return p.takeDraft(saved, err) })
	}
}

// takeDraft restores the answers of the draft, and goes to the first question that was
// never answered.
func (p *Page) takeDraft(saved *session.SavedDraft, err error) tea.Cmd {
	switch {
	case err != nil:
		return frame.Say(frame.Error, "%v", err)
	case saved == nil:
		return frame.Say(frame.Warn, "the draft no longer exists")
	}
	p.flow.Restore(saved.Answers)
	p.draft.version++
	p.draft.saved = p.draft.version
	p.goTo(p.flow.Unanswered())
	laid := p.lay(p.project)
	if saved.Changed {
		return tea.Batch(laid, frame.Say(frame.Warn, "the project changed since the draft was saved"))
	}
	return laid
}

// save saves the answers as a draft if they have changed.
func (p *Page) save() tea.Cmd {
	if p.draft.version == p.draft.saved || p.draft.saving || p.done != nil {
		return nil
	}
	p.draft.saved, p.draft.saving = p.draft.version, true
	store, current, answers := p.session.Drafts, p.project, p.flow.Copy()
	return func() tea.Msg {
		err := store.Save(session.Draft(current, answers))
		return frame.DraftSavedMsg{Where: store.Path(), Err: err}
	}
}

// draftSaved is called after a draft was saved. It saves again if more was answered
// meanwhile.
func (p *Page) draftSaved(msg frame.DraftSavedMsg) tea.Cmd {
	p.draft.saving = false
	if msg.Err != nil {
		return frame.Say(frame.Error, "%v", msg.Err)
	}
	return tea.Batch(frame.Announce(session.DraftedMsg{}), p.save())
}

// Kept says whether the answers are saved as a draft.
func (p *Page) Kept() string {
	switch {
	case p.done != nil || p.draft.version == 0:
		return ""
	case p.draft.saving || p.draft.version != p.draft.saved:
		return "saving the draft"
	}
	return "draft saved"
}

// SaveDraft saves the answers as a draft; the frame calls it before quitting.
func (p *Page) SaveDraft() tea.Cmd {
	p.draft.saved, p.draft.saving = -1, false
	return p.save()
}

// DiscardDraft removes the draft.
func (p *Page) DiscardDraft() tea.Cmd {
	store := p.session.Drafts
	return func() tea.Msg { return frame.DraftSavedMsg{Err: store.Discard()} }
}
