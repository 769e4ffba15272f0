// Package look asks as whom all pages look at the project.
package look

import (
	"fmt"
	"strings"

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

// The keys of the options. Those of groups and users have a name after them.
const (
	everybody = "everybody"
	guests    = "guests"
	signedIn  = "signed-in"
	several   = "several"
	ofGroup   = "group:"
	ofUser    = "user:"
)

// Ask offers everybody, guests, signed-in users, the groups of a backend in their order of precedence,
// members of several of them, and users. now is as whom the pages look now.
func Ask(now *viewer.Viewer, b *model.Backend, users []User) tea.Cmd {
	order, at := b.RoleOrder(), guests
	all := []prose.Option{
		{Key: everybody, Title: "everybody", Detail: "nothing is quiet"},
		{Key: guests, Title: "guests", Detail: "without signing in"},
		{Key: signedIn, Title: "signed-in users", Detail: "in no group"},
	}
	if b.Terms().NoGuests {
		all[1].Detail = "have no identity: unauthenticated_identities_enabled is false"
	}
	if now != nil {
		at, all[0].Detail = everybody, "leave: looking as "+now.Name()
	}
	for i, group := range order {
		all = append(all, prose.Option{Key: ofGroup + group, Title: "group " + group, Detail: place(i, len(order))})
	}
	const two = 2
	if len(order) >= two {
		all = append(all,
			prose.Option{Key: several, Title: "several groups ...", Detail: "members of two or more, who act as the first of them"})
	}
	for i, u := range users {
		detail := "user, in no group"
		if groups := u.Caller.Groups; len(groups) > 0 {
			detail = "user, in " + phrase.Enumerated(groups)
		}
		all = append(all, prose.Option{Key: fmt.Sprint(ofUser, i), Title: u.User, Detail: detail, Disabled: u.Why})
	}
	if len(users) == 0 && b.UsesUserPool() {
		all = append(all, prose.Option{
			Key: ofUser, Title: "a user",
			Disabled: "users are known while a sandbox runs, or once the tab People was open",
		})
	}
	return frame.Open(dialog.Choose("Look as whom?", all, at, func(key string) tea.Cmd {
		group, isGroup := strings.CutPrefix(key, ofGroup)
		switch {
		case key == everybody:
			return frame.LookAs(nil)
		case key == guests:
			return frame.LookAs(viewer.Guests())
		case key == signedIn:
			return frame.LookAs(viewer.SignedIn())
		case key == several:
			return askSeveral(now, order)
		case isGroup:
			return frame.LookAs(viewer.SignedIn(group))
		}
		for i, u := range users {
			if key == fmt.Sprint(ofUser, i) {
				return as(u.Viewer, order)
			}
		}
		return nil
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
	first := access.FirstGroup(order, v.Caller.Groups)
	if len(v.Caller.Groups) < 2 || first == "" {
		return frame.LookAs(v)
	}
	return tea.Batch(frame.LookAs(v), frame.Say(frame.Info, "%s act as %s, the first in the order of precedence",
		v.Name(), prose.PrintableStart(phrase.Quote(first))))
}
