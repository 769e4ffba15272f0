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

// sayNews says what somebody else changed, if the files changed at all. What this program wrote is
// said where it was done.
func (b *Board) sayNews(news session.News, changed bool) tea.Cmd {
	own := b.own
	b.own = false
	switch {
	case len(b.Snap.Unread) > 0 && b.good != nil:
		return frame.Say(frame.Warn, "%s; what was read before stays", b.Snap.Broken[0])
	case len(b.Snap.Unread) > 0:
		return nil
	}
	b.good = b.Snap.Backend
	if own || !changed {
		return nil
	}
	return tea.Sequence(outside.Say("", news), b.RenewReview())
}

// RenewReview plans the open review again, or opens the open form again, if there is one.
func (b *Board) RenewReview() tea.Cmd {
	if b.review == nil || b.Busy != "" {
		return nil
	}
	b.renews = true
	cmd := b.review()
	b.renews = false
	return cmd
}

// Open opens a dialog about what the files have. anew opens it again with what was typed so far: it
// is called when somebody else changed them.
func (b *Board) Open(d dialog.Dialog, anew func() tea.Cmd) tea.Cmd {
	return b.show(d, b.renews, func() tea.Cmd {
		if _, ended := d.Ended(); ended {
			return nil
		}
		return anew()
	})
}

// show opens a dialog, or shows it anew instead of the open one. anew is what RenewReview does.
func (b *Board) show(d dialog.Dialog, renews bool, anew func() tea.Cmd) tea.Cmd {
	b.review = anew
	if renews {
		return frame.Renew(d)
	}
	return frame.Open(d)
}

// cancel is what happens if a change is not agreed to.
func (b *Board) cancel(w writtenChange) tea.Cmd {
	b.review = nil
	return w.cancel()
}
