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
	// Groups have an entry that allows the action. Barred have one that does not, while users
	// without a group may.
	Groups, Barred []string
}

// Callers returns who may do an action. guests says whether guests get an identity (see
// Auth.GuestsEnabled).
func (a Access) Callers(action Action, guests bool) Callers {
	if a.Setting == Open {
		return Callers{Everybody: true}
	}
	allowed := a.lookup()
	c := Callers{
		Guests: guests && allowed(Principal{Kind: Guest}).Has(action),
		Users:  allowed(Principal{Kind: Authenticated}).Has(action),
	}
	for _, group := range a.Groups() {
		switch {
		case allowed(Principal{Kind: Group, Group: group}).Has(action):
			c.Groups = append(c.Groups, group)
		case c.Users:
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
		words = append(words, Principal{Kind: Authenticated}.String())
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
