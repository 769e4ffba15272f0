package access

import (
	"gatewright/internal/text/phrase"
)

// Callers are those who may do one action on a path.
type Callers struct {
	// Everybody says that the path is open: it asks nobody who they are.
	Everybody bool
	Guests    bool
	Users     bool
	// Groups have an entry that allows the action. Barred have one that does not, while users without a group may.
	Groups, Barred []string
	// GroupAlone says that Users are those who are in no group (see Terms).
	GroupAlone bool
}

// Callers returns who may do an action under a path of the API.
func (r Rules) Callers(p *Path, action Action) Callers {
	if p.Access.Setting == Open {
		return Callers{Everybody: true}
	}
	allowed, groups := p.Access.lookup(r.terms), p.Access.Groups()
	if r.around != nil {
		allowed, groups = func(who Principal) Actions { return r.Allowed(p, who) }, r.around.groups
	}
	c := Callers{
		Guests:     !r.terms.NoGuests && allowed(Principal{Kind: Guest}).Has(action),
		Users:      allowed(Principal{Kind: Authenticated}).Has(action),
		GroupAlone: r.terms.GroupAlone,
	}
	for _, group := range groups {
		switch {
		case allowed(Principal{Kind: Group, Group: group}).Has(action):
			c.Groups = append(c.Groups, group)
		case c.Users && !c.GroupAlone:
			c.Barred = append(c.Barred, group)
		}
	}
	return c
}

// Nobody reports whether no caller may.
func (c Callers) Nobody() bool { return !c.Everybody && !c.Guests && !c.Users && len(c.Groups) == 0 }

// String lists the callers for a sentence: "guests, signed-in users and members of Editors, but
// not members of Interns".
func (c Callers) String() string {
	if c.Everybody {
		return "everybody"
	}
	if c.Nobody() {
		return "nobody"
	}
	var words []string
	if c.Guests {
		words = append(words, Principal{Kind: Guest}.String())
	}
	if c.Users {
		users := Principal{Kind: Authenticated}.String()
		if c.GroupAlone {
			users += " who are in no group"
		}
		words = append(words, users)
	}
	for _, group := range c.Groups {
		words = append(words, Principal{Kind: Group, Group: group}.String())
	}
	text := phrase.Enumerated(words)
	if len(c.Barred) > 0 {
		var barred []string
		for _, group := range c.Barred {
			barred = append(barred, Principal{Kind: Group, Group: group}.String())
		}
		text += ", but not " + phrase.Enumerated(barred)
	}
	return text
}
