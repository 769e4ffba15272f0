package access

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// Words describes the setting without the actions of each principal.
func (s Setting) Words() string {
	switch s {
	case Open:
		return "open to everybody"
	case Private:
		return "signed-in users and groups"
	case Protected:
		return "signed-in users, groups and guests"
	}
	return phrase.Quote(string(s))
}

// String describes in one line who may do what, guests first: "guests:
// read; signed-in users: create, read; members of Admins: all". Entries that have no effect
// under the setting are left out.
func (a Access) String() string {
	if a.Setting == Open {
		return a.Setting.Words()
	}
	var users, groups, guests []string
	for _, g := range a.Grants {
		actions := g.Actions.String()
		if g.Actions&EveryAction == EveryAction {
			actions = "all"
		}
		words := g.To.String() + ": " + actions
		switch {
		case g.To.Kind == Group:
			groups = append(groups, words)
		case g.To.Kind == Authenticated:
			users = append(users, words)
		case a.Setting == Protected:
			guests = append(guests, words)
		}
	}
	if all := slices.Concat(guests, users, groups); len(all) > 0 {
		return strings.Join(all, "; ")
	}
	return "nobody has access"
}

// Phrase describes the set as the rest of a sentence about a caller, who may ... : "nothing",
// "everything", "create and read", "everything but delete".
func (s Actions) Phrase() string {
	list := s.List()
	switch len(list) {
	case 0:
		return "nothing"
	case 1:
		return list[0].String()
	case 2:
		return list[0].String() + " and " + list[1].String()
	case len(AllActions) - 1:
		return "everything but " + EveryAction.Without(s).String()
	}
	return "everything"
}

// Verb describes the set in a sentence about a caller, after the word may: "do nothing", "do
// everything", "create and read".
func (s Actions) Verb() string {
	if n := len(s.List()); n == 0 || n > 2 {
		return "do " + s.Phrase()
	}
	return s.Phrase()
}
