// Package viewer is the somebody as whom the screens look at a backend: what they may not do is
// quiet then, on every page, until nobody in particular looks again.
package viewer

import (
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// Viewer is somebody as whom one looks. It is never changed. A nil Viewer is everybody: nothing
// is quiet.
type Viewer struct {
	// Caller is what access.Router.Decide takes.
	Caller access.Caller
	// User is the name of a user, whose groups are those of the Caller; "" for anybody alike.
	User string
}

// Guests is the viewer who did not sign in.
func Guests() *Viewer { return &Viewer{} }

// SignedIn is the viewer who signed in and is in groups, if any.
func SignedIn(groups ...string) *Viewer {
	return &Viewer{Caller: access.Caller{SignedIn: true, Groups: groups}}
}

// User is the viewer who is a user with their groups.
func User(name string, groups ...string) *Viewer {
	v := SignedIn(groups...)
	v.User = name
	return v
}

// Name says who it is, in a sentence: "guests", "members of Admins and Editors", "user emma
// (Editors)". It is safe for the screen.
func (v *Viewer) Name() string {
	groups := make([]string, 0, 2)
	if v != nil {
		for _, group := range v.Caller.Groups {
			groups = append(groups, phrase.Quote(group))
		}
	}
	name := ""
	switch {
	case v == nil:
		return "everybody"
	case v.User != "" && len(groups) > 0:
		name = "user " + phrase.Quote(v.User) + " (" + phrase.Enumerated(groups) + ")"
	case v.User != "":
		name = "user " + phrase.Quote(v.User) + " (in no group)"
	case len(groups) > 0:
		name = "members of " + phrase.Enumerated(groups)
	default:
		name = v.Principal(nil).String()
	}
	return prose.PrintableStart(name)
}

// Short says who it is where there is little room: "guests", "Admins+Editors", "emma".
func (v *Viewer) Short() string {
	name := ""
	switch {
	case v == nil:
		return "everybody"
	case v.User != "":
		name = v.User
	case len(v.Caller.Groups) > 0:
		for i, group := range v.Caller.Groups {
			if i > 0 {
				name += "+"
			}
			name += group
		}
	case v.Caller.SignedIn:
		name = "signed-in"
	default:
		name = "guests"
	}
	return prose.PrintableStart(name)
}

// Principal is whom they act as, of groups the first in the order of precedence. Where a path has
// no entry for it, the rules of the path say what that means.
func (v *Viewer) Principal(order []string) access.Principal {
	if !v.Caller.SignedIn {
		return access.Principal{Kind: access.Guest}
	}
	if first := access.FirstGroup(order, v.Caller.Groups); first != "" {
		return access.Principal{Kind: access.Group, Group: first}
	}
	return access.Principal{Kind: access.Authenticated}
}

// May says what they may do under a path, as Decide says, by the rules of its API. order is that
// of the precedence of groups. Everybody is not asked what they may: it is every action.
func (v *Viewer) May(rules access.Rules, order []string, p *access.Path) access.Actions {
	if v == nil {
		return access.EveryAction
	}
	switch who := v.Principal(order); who.Kind {
	case access.Guest:
		return rules.Row(p, nil).Guest
	case access.Group:
		return rules.Row(p, []string{who.Group}).Groups[0].Actions
	}
	return rules.Row(p, nil).Authenticated
}

// Equal reports whether two viewers are the same.
func (v *Viewer) Equal(other *Viewer) bool {
	if v == nil || other == nil {
		return v == other
	}
	return v.User == other.User && v.Caller.SignedIn == other.Caller.SignedIn &&
		v.Caller.Stranger == other.Caller.Stranger && slices.Equal(v.Caller.Groups, other.Caller.Groups)
}
