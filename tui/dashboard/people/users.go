package people

import (
	"gatewright/deploy/people"
	"gatewright/internal/text/prose"
	"gatewright/tui/look"
	"gatewright/tui/viewer"
)

// Users are the users that were read, with what keeps them from signing in.
func (t *Tab) Users() (all []look.User) {
	for _, r := range t.List.Rows() {
		if r.kind != userRow {
			continue
		}
		u := look.User{Viewer: viewer.User(r.called, r.user.Groups...)}
		switch {
		case !r.user.Enabled:
			u.Why = "is disabled"
		case r.user.Status == people.UserUnconfirmed:
			u.Why = "cannot sign in: " + prose.Printable(r.state)
		}
		all = append(all, u)
	}
	return all
}
