package assertion

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/access"
)

// Describe returns tests that say what the access of a path is now: who may do what under it, and
// that nobody else may. They leave out what other paths of the API serve, and all hold. It returns
// nil if there is no such path, or if other paths serve all of its requests.
func Describe(b *model.Backend, api, path string) []string {
	c := NewChecker(b)
	a := b.API(api)
	if a == nil {
		return nil
	}
	i := slices.IndexFunc(a.Paths, func(p *access.Path) bool { return p.Name == path })
	if i < 0 || path == access.ProxyPath {
		return nil
	}
	where, fault := readPlace(path, under)
	if fault != "" {
		return nil
	}
	found := search(c.matcher(a), nil, []place{where}, nil, false)
	if found[i].in == nil {
		return nil
	}
	at := " under " + path
	var except []string
	for j, other := range a.Paths {
		if j != i && found[j].in != nil {
			except = append(except, other.Name)
		}
	}
	switch {
	case len(except) > mostPlaces || slices.Contains(except, access.ProxyPath):
		at = " " + path
	case len(except) > 0:
		at += " except under " + strings.Join(except, " and ")
	}
	if len(b.APIs) > 1 {
		at += " of API " + api
	}
	var tests []string
	for _, s := range c.rights(api, found[i].in[0].raw) {
		who, what := c.subject(s.who), actionWords(s.actions)
		switch {
		case len(s.who) == 0:
			tests = append(tests, "nobody may "+what+at)
		case who == "everybody":
			tests = append(tests, "everybody may "+what+at)
		default:
			tests = append(tests, who+" may "+what+at, "nobody but "+who+" may "+what+at)
		}
	}
	return slices.DeleteFunc(tests, func(text string) bool { return !c.Check(text).Holds() })
}

// right is a set of actions that the same callers may do.
type right struct {
	who     []access.Principal
	actions access.Actions
}

// rights returns who may do what to a raw path of an API.
func (c *Checker) rights(api, raw string) []right {
	var all []right
	for _, action := range access.AllActions {
		var who []access.Principal
		for _, p := range c.principals(everybody()) {
			x := Counterexample{Who: p}
			if c.router(api).Decide(x.Caller(), access.Terms{}.Methods(action)[0], raw).Allowed {
				who = append(who, p)
			}
		}
		same := slices.IndexFunc(all, func(r right) bool { return slices.Equal(r.who, who) })
		if same < 0 {
			all, same = append(all, right{who: who}), len(all)
		}
		all[same].actions |= access.Actions(action)
	}
	return all
}

// subject names callers as a test does.
func (c *Checker) subject(who []access.Principal) string {
	everybody := c.principals(everybody())
	signedIn := slices.DeleteFunc(slices.Clone(everybody), func(p access.Principal) bool { return p.Kind == access.Guest })
	switch {
	case slices.Equal(who, everybody):
		return "everybody"
	case slices.Equal(who, signedIn):
		return "signed-in users"
	}
	var words []string
	for _, p := range who {
		switch p.Kind {
		case access.Guest:
			words = append(words, "guests")
		case access.Authenticated:
			words = append(words, "signed-in users in no group")
		default:
			words = append(words, groupWord(p.Group))
		}
	}
	return phrase.Enumerated(words)
}

// actionWords are actions as a test has them.
func actionWords(actions access.Actions) string {
	if actions == access.EveryAction {
		return "do anything"
	}
	var words []string
	for _, a := range actions.List() {
		words = append(words, a.String())
	}
	return phrase.Enumerated(words)
}

// groupWord is the name of a group as a test has it: as it is if it reads as nothing else.
func groupWord(name string) string {
	s, err := Parse("guests and " + name + " never read")
	if err == nil && slices.Equal(s.callers.groups, []string{name}) {
		return name
	}
	if strings.ContainsAny(name, `,"`) && !strings.Contains(name, `"`) {
		return `"` + name + `"`
	}
	return "group:" + name
}
