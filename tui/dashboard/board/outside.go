package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/outside"
)

// ReadOwn is Read after this program wrote files.
func (b *Board) ReadOwn() tea.Cmd {
	b.own = true
	return b.Read()
}

// sayNews says what somebody else changed. What this program wrote is said where it was done.
func (b *Board) sayNews(news session.News) tea.Cmd {
	own := b.own
	b.own = false
	switch {
	case len(b.Snap.Unread) > 0 && b.good != nil:
		return frame.Say(frame.Warn, "%s; what was read before stays", b.Snap.Broken[0])
	case len(b.Snap.Unread) > 0:
		return nil
	}
	b.good = b.Snap.Backend
	if own || news.Text == "" {
		return nil
	}
	return tea.Sequence(outside.Say("", news), b.RenewReview())
}

// RenewReview plans the open review again, if there is one.
func (b *Board) RenewReview() tea.Cmd {
	if b.review == nil || b.Busy != "" {
		return nil
	}
	b.renews = true
	return b.review()
}

// ask opens the review of a change, or shows it anew.
func (b *Board) ask(w writtenChange, review dialog.Dialog) tea.Cmd {
	b.review = w.anew
	if w.renews {
		return frame.Renew(review)
	}
	return frame.Open(review)
}

// cancel is what happens if a change is not agreed to.
func (b *Board) cancel(w writtenChange) tea.Cmd {
	b.review = nil
	return w.cancel()
}
