package dashboard

import (
	"strings"

	"gatewright/model"
)

// fewPrincipals is how many groups are told of below the rows, mostLosses how many
// losses at all: the list says the rest.
const (
	fewPrincipals = 12
	mostLosses    = 8
)

// told is what is to be said of a row: whom it serves, each principal in words with
// at most so many groups, what members of several groups lose, and which requests
// change hands.
func (a *accessTab) told(i, groups int) []said {
	r := a.at(i)
	if r.path == "" {
		return a.toldOfAPI(r)
	}
	all := []said{{strong, r.path + " of " + r.label}}
	say := func(how tone, text string) { all = append(all, said{how, text}) }
	if r.world == everybody {
		say(warning, "open to everybody: whoever sends a request is served, signed or not")
		return append(all, r.takeover...)
	}
	switch {
	case r.world == guestsToo:
		say(good, "guests may "+methodsOf(r.Guest))
	case a.idle && r.Path.Access.Setting == model.Protected:
		say(warning, "guests have no identity (unauthenticated_identities_enabled is false) and are not served")
	default:
		say(muted, "guests are not served")
	}
	say(plain, "signed-in users may "+methodsOf(r.Authenticated))
	var alike []string
	told := 0
	for g, group := range r.Groups {
		switch {
		case !group.Own:
			alike = append(alike, a.groups[g])
		case told < groups:
			say(plain, "members of "+fit(model.Quote(a.groups[g]))+" may "+methodsOf(group.Actions))
			told++
		}
	}
	if own := len(r.Groups) - len(alike); own > told {
		say(muted, "and "+model.Count(own-told, "group")+" more")
	}
	if len(alike) > 0 {
		say(muted, "in brackets: members of "+fit(model.QuoteList(alike))+" act as signed-in users, as the path has no entry for them")
	}
	for n, loss := range r.Path.Access.LossesByGroup(a.groups) {
		if n == mostLosses {
			say(muted, "and more such losses")
			break
		}
		say(warning, fit(loss.String()))
	}
	return append(all, r.takeover...)
}

// toldOfAPI sums up the paths of an API.
func (a *accessTab) toldOfAPI(r accessRow) []said {
	all := []said{{strong, "api " + r.label + ", " + model.Count(len(r.of.Paths), "path")}}
	if a.env != nil && !a.env.Has(r.of.Label) {
		all = append(all, said{muted, fit(a.env.Name) + " does not have this API"})
	}
	if n := r.counts[everybody]; n > 0 {
		all = append(all, said{warning, "open to everybody: " + model.Count(n, "path")})
	}
	if n := r.counts[guestsToo]; n > 0 {
		all = append(all, said{good, "open to guests for some actions: " + model.Count(n, "path")})
	}
	if n := r.counts[knownOnly]; n > 0 {
		all = append(all, said{plain, "for signed-in callers alone: " + model.Count(n, "path")})
	}
	return append(all, said{muted, "C create (POST), R read (GET, HEAD), U update (PUT, PATCH), D delete (DELETE)"})
}

// methodsOf are actions in words, each with the methods that it opens.
func methodsOf(actions model.Actions) string {
	if actions == 0 {
		return "do nothing"
	}
	var words []string
	for _, action := range actions.List() {
		words = append(words, action.String()+" ("+strings.Join(action.Methods(), ", ")+")")
	}
	return strings.Join(words, ", ")
}
