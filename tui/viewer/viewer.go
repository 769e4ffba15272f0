// Package viewer is the somebody as whom the screens look at a backend: what they may not do is
// quiet then, on every page, until nobody in particular looks again.
package viewer

import (
	"cmp"
	"reflect"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
)

// Viewer is somebody as whom one looks. It is never changed. A nil Viewer is everybody: nothing is quiet.
type Viewer struct {
	// Caller is what access.Router.Decide takes.
	Caller access.Caller
	// User is the name of a user, whose groups are those of the Caller; "" for anybody alike.
	User string
}

// SignedIn is the viewer who signed in and is in groups, if any.
func SignedIn(groups ...string) *Viewer {
	return &Viewer{Caller: access.Caller{SignedIn: true, Groups: groups}}
}

// Name says who it is, in a sentence: "guests", "members of Admins and Editors", "user emma
// (Editors)". It is safe for the screen.
func (v *Viewer) Name() string {
	if v == nil {
		return "everybody"
	}
	var groups []string
	for _, group := range v.Caller.Groups {
		groups = append(groups, phrase.Quote(group))
	}
	name := v.Principal(nil).String()
	switch in := phrase.Enumerated(groups); {
	case v.User != "":
		name = "user " + phrase.Quote(v.User) + " (" + cmp.Or(in, "in no group") + ")"
	case in != "":
		name = "members of " + in
	}
	return prose.PrintableStart(name)
}

// Short says who it is where there is little room: "guests", "Admins+Editors", "emma".
func (v *Viewer) Short() string {
	switch {
	case v != nil && v.User != "":
		return prose.PrintableStart(v.User)
	case v != nil && len(v.Caller.Groups) > 0:
		return prose.PrintableStart(strings.Join(v.Caller.Groups, "+"))
	}
	return v.Name()
}

// Principal is whom they act as, of groups the first in the order of precedence. Where a path has
// no entry for it, the rules of the path say what that means.
func (v *Viewer) Principal(order []string) access.Principal {
	first := access.FirstGroup(order, v.Caller.Groups)
	switch {
	case !v.Caller.SignedIn:
		return access.Principal{Kind: access.Guest}
	case first != "":
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
	who := v.Principal(order)
	switch row := rules.Row(p, []string{who.Group}); who.Kind {
	case access.Guest:
		return row.Guest
	case access.Group:
		return row.Groups[0].Actions
	default:
		return row.Authenticated
	}
}

// Equal reports whether two viewers are the same.
func (v *Viewer) Equal(other *Viewer) bool { return reflect.DeepEqual(v, other) }
