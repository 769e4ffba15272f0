// Package look asks as whom all pages look at the project.
package look

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/viewer"
)

// User is a user of the pool; Why is why they cannot sign in, "" if they can.
type User struct {
	*viewer.Viewer
	Why string
}

// Ask offers everybody, guests, signed-in users, the groups of a backend in their order of precedence,
// members of several of them, and users. now is as whom the pages look now.
func Ask(now *viewer.Viewer, b *model.Backend, users []User) tea.Cmd {
	const several, leave, guests = "several", "0", "1"
	var all []prose.Option
	viewers, order := make(map[string]*viewer.Viewer), b.RoleOrder()
	add := func(v *viewer.Viewer, title, detail, why string) {
		key := fmt.Sprint(len(all))
		viewers[key] = v
		all = append(all, prose.Option{Key: key, Title: title, Detail: detail, Disabled: why})
	}
	at, nothing, unsigned := guests, "nothing is dimmed", "without signing in"
	if now != nil {
		at, nothing = leave, "leave: viewing as "+now.Name()
	}
	if b.Terms().NoGuests {
		unsigned = "have no identity: unauthenticated_identities_enabled is false"
	}
	add(nil, "everybody", nothing, "")
	add(new(viewer.Viewer), "guests", unsigned, "")
	add(viewer.SignedIn(), "signed-in users", "in no group", "")
	for i, group := range order {
		add(viewer.SignedIn(group), "group "+group, place(i, len(order)), "")
	}
	if len(order) > 1 {
		all = append(all, prose.Option{
			Key: several, Title: "several groups ...", Detail: "members of two or more, who act as the first of them",
		})
	}
	for _, u := range users {
		add(u.Viewer, u.User, u.Name(), u.Why)
	}
	if len(users) == 0 && b.UsesUserPool() {
		add(nil, "a user", "", "users are known while a sandbox runs, or once the tab People has been open")
	}
	return frame.Open(dialog.Choose("View as whom?", all, at, func(key string) tea.Cmd {
		if key == several {
			return askSeveral(now, order)
		}
		return as(viewers[key], order)
	}))
}

// place is the place of a group in the order of precedence.
func place(i, n int) string {
	switch {
	case n == 1:
		return "the only group"
	case i == 0:
		return "the first in the order of precedence"
	}
	return fmt.Sprintf("%d of %d in the order of precedence", i+1, n)
}

// askSeveral offers groups, any number of which somebody may be a member of.
func askSeveral(now *viewer.Viewer, order []string) tea.Cmd {
	var options []prose.Option
	for i, group := range order {
		options = append(options, prose.Option{Key: group, Title: group, Detail: place(i, len(order))})
	}
	var marked []string
	if now != nil {
		marked = now.Caller.Groups
	}
	return frame.Open(dialog.Several("Members of which groups? They act as the first of them", options, marked, nil,
		func(groups []string) tea.Cmd { return as(viewer.SignedIn(groups...), order) }))
}

// as looks as somebody, and says which of several groups decides.
func as(v *viewer.Viewer, order []string) tea.Cmd {
	first := ""
	if v != nil && len(v.Caller.Groups) > 1 {
		first = access.FirstGroup(order, v.Caller.Groups)
	}
	if first == "" {
		return frame.LookAs(v)
	}
	return tea.Batch(frame.LookAs(v), frame.Say(frame.Info, "%s act as %s, the first in the order of precedence", v.Name(),
		prose.PrintableStart(phrase.Quote(first))))
}
