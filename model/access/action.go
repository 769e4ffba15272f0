package access

import (
	"strings"

	"gatewright/internal/text/phrase"
)

// Action is one thing that a caller may do under a path.
type Action uint8

// The actions are bits, so that Actions is a set of them.
const (
	Create Action = 1 << iota
	Read
	Update
	Delete
)

// AllActions lists the four actions in the order they are shown and written.
var AllActions = []Action{Create, Read, Update, Delete}

// String returns the word of the files: create, read, update or delete.
func (a Action) String() string {
	switch a {
	case Create:
		return "create"
	case Read:
		return "read"
	case Update:
		return "update"
	case Delete:
		return "delete"
	}
	return "none"
}

// ParseAction reads the word of the files.
func ParseAction(word string) (Action, bool) {
	for _, a := range AllActions {
		if word == a.String() {
			return a, true
		}
	}
	return 0, false
}

// Actions is a set of Action.
type Actions uint8

// EveryAction is the set of all four.
const EveryAction = Actions(Create | Read | Update | Delete)

// ActionSet makes a set.
func ActionSet(actions ...Action) Actions {
	var set Actions
	for _, a := range actions {
		set |= Actions(a)
	}
	return set
}

// Has reports whether a is in the set.
func (s Actions) Has(a Action) bool { return s&Actions(a) != 0 }

// Without returns the set without the actions of other.
func (s Actions) Without(other Actions) Actions { return s &^ other }

// List returns the set's actions in their order.
func (s Actions) List() []Action {
	var list []Action
	for _, a := range AllActions {
		if s.Has(a) {
			list = append(list, a)
		}
	}
	return list
}

// String lists the words: "create, read", or "nothing" for the empty set.
func (s Actions) String() string {
	if s == 0 {
		return "nothing"
	}
	words := make([]string, 0, len(AllActions))
	for _, a := range s.List() {
		words = append(words, a.String())
	}
	return strings.Join(words, ", ")
}

// words lists the words of a set that is not empty for a sentence: "create, read and update".
func (s Actions) words() string {
	var words []string
	for _, a := range s.List() {
		words = append(words, a.String())
	}
	return phrase.Enumerated(words)
}
