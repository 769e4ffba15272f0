package access

import (
	"slices"

	"gatewright/internal/text/phrase"
)

// Setting is the mode of access of a path: whether it is restricted, and to whom.
type Setting string

// Open serves everybody. Private serves signed-in users, as far as the grants allow. Protected serves guests too.
const (
	Open      Setting = "open"
	Private   Setting = "private"
	Protected Setting = "protected"
)

// Settings lists every Setting.
var Settings = []Setting{Open, Private, Protected}

// PrincipalKind is a kind of caller that actions are granted to.
type PrincipalKind uint8

// The kinds: any signed-in user, a guest, a member of a group.
const (
	Authenticated PrincipalKind = iota
	Guest
	Group
)

// Principal is a caller that actions are granted to. Group is the group's name if Kind is Group.
type Principal struct {
	Kind  PrincipalKind
	Group string
}

// String names the principal in a sentence.
func (p Principal) String() string {
	switch p.Kind {
	case Guest:
		return "guests"
	case Group:
		return "members of " + phrase.Quote(p.Group)
	}
	return "signed-in users"
}

// Grant is one entry of a path's permissions. An entry without actions counts: members of its
// group lose what signed-in users may do.
type Grant struct {
	To      Principal
	Actions Actions
}

// Access is who may do what under a path. Grants keep the order of the file; each principal has at most one.
type Access struct {
	Setting Setting
	Grants  []Grant
}

// Grant finds the entry of a principal.
func (a Access) Grant(to Principal) (Actions, bool) {
	for _, g := range a.Grants {
		if g.To == to {
			return g.Actions, true
		}
	}
	return 0, false
}

// With returns the access with a principal's actions set to exactly these.
func (a Access) With(to Principal, actions Actions) Access {
	grants := slices.Clone(a.Grants)
	for i := range grants {
		if grants[i].To == to {
			grants[i].Actions = actions
			a.Grants = grants
			return a
		}
	}
	a.Grants = append(grants, Grant{to, actions})
	return a
}

// Groups lists the groups named, in the order of the file.
func (a Access) Groups() []string {
	var groups []string
	for _, g := range a.Grants {
		if g.To.Kind == Group {
			groups = append(groups, g.To.Group)
		}
	}
	return groups
}

// Allowed returns what a principal may do. A group without an entry of its own may do what every
// signed-in user may, or nothing (see Terms).
func (a Access) Allowed(who Principal, terms Terms) Actions {
	switch {
	case a.Setting == Open:
		return EveryAction
	case who.Kind == Guest && a.Setting != Protected:
		return 0
	}
	actions, named := a.Grant(who)
	if !named && who.Kind == Group && !terms.GroupAlone {
		actions, _ = a.Grant(Principal{Kind: Authenticated})
	}
	return actions
}

// lookup is Allowed for many calls: a long list of grants is indexed once.
func (a Access) lookup(terms Terms) func(Principal) Actions {
	const few = 16
	if len(a.Grants) <= few || a.Setting == Open {
		return func(who Principal) Actions { return a.Allowed(who, terms) }
	}
	entries := make(map[Principal]Actions, len(a.Grants))
	for _, g := range a.Grants {
		if _, again := entries[g.To]; !again {
			entries[g.To] = g.Actions
		}
	}
	return func(who Principal) Actions {
		actions, named := entries[who]
		switch {
		case who.Kind == Guest && a.Setting != Protected:
			return 0
		case !named && who.Kind == Group && !terms.GroupAlone:
			return entries[Principal{Kind: Authenticated}]
		}
		return actions
	}
}

// Equal reports whether two accesses are written the same.
func (a Access) Equal(b Access) bool {
	return a.Setting == b.Setting && slices.Equal(a.Grants, b.Grants)
}

// Same reports whether two accesses are equal except for the order of their grants.
func (a Access) Same(b Access) bool {
	if a.Equal(b) {
		return true
	}
	if a.Setting != b.Setting || len(a.Grants) != len(b.Grants) {
		return false
	}
	count := make(map[Grant]int, len(a.Grants))
	for _, g := range a.Grants {
		count[g]++
	}
	for _, g := range b.Grants {
		if count[g]--; count[g] < 0 {
			return false
		}
	}
	return true
}

// Granted returns the access with grants added or replaced. They restrict an open path, whose
// earlier grants had no effect and are dropped. A grant to guests lets guests in.
func (a Access) Granted(grants ...Grant) Access {
	if a.Setting == Open && len(grants) > 0 {
		a = Access{Setting: Private}
	}
	for _, g := range grants {
		a = a.With(g.To, g.Actions)
		if g.To.Kind == Guest {
			a.Setting = Protected
		}
	}
	return a
}

// Without returns the access without the entry of a principal, if there is one. A path that
// loses its guests becomes one for signed-in users.
func (a Access) Without(to Principal) Access {
	a.Grants = slices.DeleteFunc(slices.Clone(a.Grants), func(g Grant) bool { return g.To == to })
	if to.Kind == Guest && a.Setting == Protected {
		a.Setting = Private
	}
	return a
}
