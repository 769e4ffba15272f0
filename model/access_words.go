package model

import "strings"

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
	return Quote(string(s))
}

// String describes in one line who may do what: "signed-in users: create, read; members of
// Admins: all; guests: read". Entries that have no effect under the setting are left out.
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
	if all := append(append(users, groups...), guests...); len(all) > 0 {
		return strings.Join(all, "; ")
	}
	return "nobody has access"
}
