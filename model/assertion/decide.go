package assertion

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// order are the methods by which decisions are told, one for each action.
var order = []string{"GET", "POST", "PUT", "DELETE"}

// decide decides about the requests of one path. others says that the methods of the statement
// are those that are allowed, and so the others are meant.
func (c *Checker) decide(
	o *Outcome, s Statement, api *access.API, path *access.Path, e example, who []Counterexample, others bool,
) {
	for _, method := range c.methods(s, others) {
		for _, x := range who {
			x.API, x.Path, x.Method, x.Raw = api.Label, path.Name, method, e.raw
			c.ask(&x)
			o.Decisions++
			switch {
			case s.claim == noMore:
				if x.Decision.Allowed && !c.allMay(s.others, x) {
					o.Broken = append(o.Broken, x)
				}
			case x.Decision.Allowed != (s.claim == may):
				o.Broken = append(o.Broken, x)
			case s.claim == may && x.Who.Kind == access.Group && x.Groups == nil:
				c.noteOthers(o, s, x)
			}
		}
	}
}

// allMay reports whether all others may send a request, too.
func (c *Checker) allMay(others callers, x Counterexample) bool {
	return !slices.ContainsFunc(c.asked(others), func(other Counterexample) bool {
		return !c.router(x.API).Decide(other.Caller(), x.Method, x.Raw).Allowed
	})
}

// mostNotes is how many notes a test gets.
const mostNotes = 3

// noteOthers notes whom a test forgets that says what members of a group may do: those who are also
// in a group that comes first, and which may not.
func (c *Checker) noteOthers(o *Outcome, s Statement, x Counterexample) {
	for _, first := range c.groups[:slices.Index(c.groups, x.Who.Group)] {
		if len(o.Notes) == mostNotes {
			return
		}
		if slices.Contains(s.callers.groups, first) || s.callers.users {
			continue
		}
		both := access.Caller{SignedIn: true, Groups: []string{first, x.Who.Group}}
		if c.router(x.API).Decide(both, x.Method, x.Raw).Allowed {
			continue
		}
		note := "members of both " + phrase.Quote(x.Who.Group) + " and " + phrase.Quote(first) + " act as " +
			phrase.Quote(first) + ", and may not " + x.Method + " " + phrase.Quote(x.Raw)
		if !slices.ContainsFunc(o.Notes,
			func(have string) bool { return strings.HasPrefix(have, note[:strings.LastIndex(note, ", and")]) }) {
			o.Notes = append(o.Notes, note)
		}
	}
}

// methods returns the methods that are meant: those of the statement, or one for each action, where GET
// stands for HEAD too, and PUT for PATCH; of callers who may only PUT the latter is another one.
func (c *Checker) methods(s Statement, others bool) []string {
	if s.methods == nil && others {
		return nil
	}
	if s.methods == nil {
		return order
	}
	if !others {
		return s.methods
	}
	var rest []string
	for _, method := range order {
		if !slices.Contains(s.methods, method) {
			rest = append(rest, method)
		}
	}
	if slices.Contains(s.methods, "PUT") && !slices.Contains(s.methods, "PATCH") && !s.updates {
		rest = append(rest, "PATCH")
	}
	return rest
}

// asked lists those whom a sentence means, with nothing of a request.
func (c *Checker) asked(who callers) []Counterexample {
	var all []Counterexample
	for _, p := range c.principals(who) {
		all = append(all, Counterexample{Who: p})
	}
	for _, groups := range who.together {
		p := access.Principal{Kind: access.Group, Group: access.FirstGroup(c.groups, groups)}
		if who.but == nil || !who.but.has(p) {
			all = append(all, Counterexample{Who: p, Groups: groups})
		}
	}
	return all
}

// principals lists those whom a sentence means.
func (c *Checker) principals(who callers) []access.Principal {
	var all []access.Principal
	for _, p := range slices.Concat([]access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}},
		c.groupPrincipals()) {
		if who.has(p) && (who.but == nil || !who.but.has(p)) {
			all = append(all, p)
		}
	}
	return all
}

func (c *Checker) groupPrincipals() []access.Principal {
	all := make([]access.Principal, len(c.groups))
	for i, group := range c.groups {
		all[i] = access.Principal{Kind: access.Group, Group: group}
	}
	return all
}

func (c callers) has(p access.Principal) bool {
	switch p.Kind {
	case access.Guest:
		return c.guests
	case access.Authenticated:
		return c.users || c.groupless
	}
	return c.users || slices.Contains(c.groups, p.Group)
}
