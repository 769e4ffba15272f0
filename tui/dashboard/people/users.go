package people

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"gatewright/deploy/people"
	"gatewright/internal/text/prose"
	"gatewright/tui/frame"
	"gatewright/tui/look"
	"gatewright/tui/viewer"
)

// Users are the users that were read, with what keeps them from signing in.
func (t *Tab) Users() (all []look.User) {
	for _, r := range t.List.Rows() {
		if r.kind != userRow {
			continue
		}
		u := look.User{Viewer: viewer.SignedIn(r.user.Groups...)}
		u.User = r.called
		if !r.user.Enabled || r.user.Status == people.UserUnconfirmed {
			u.Why = "cannot sign in: " + prose.Printable(r.state)
		}
		all = append(all, u)
	}
	return all
}

// renewViewer gives the user as whom the pages look the groups that were read now, or leaves them if there
// is no such user any more.
func (t *Tab) renewViewer() tea.Cmd {
	v, users := t.board.Viewer(), t.Users()
	if v == nil || v.User == "" || t.seen == nil || t.seen.unread || t.seen.problem != "" {
		return nil
	}
	at := slices.IndexFunc(users, func(u look.User) bool { return u.User == v.User })
	switch {
	case at >= 0:
		return frame.LookAs(users[at].Viewer)
	case t.seen.next != "":
		return nil
	}
	return tea.Batch(frame.LookAs(nil), frame.Say(frame.Warn, "no longer viewing as %s: %s has no such user", v.Name(),
		prose.PrintableStart(t.source.environment)))
}
