package board

import (
	tea "charm.land/bubbletea/v2"

	"gatewright/flow/session"
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
	if own {
		return nil
	}
	return outside.Say("", news)
}
