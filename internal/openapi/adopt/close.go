package adopt

import (
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// mostPairs is how many pairs of places are looked at, see close. Documents of thousands of
// paths have fewer.
const mostPairs = 1 << 18

// other is a segment that no path has.
const other = "\x00"

// exact is a path of the document that has no segment with a text and a variable in it.
// Variables have no names in it, so that all paths which match alike are one.
type exact struct {
	name       string
	operations []*operation
}

func (a *adoption) addExact(p place, operations []*operation) {
	var b strings.Builder
	for _, part := range p.parts {
		if strings.HasPrefix(part, "{") && part != "{proxy+}" {
			part = "{x}"
		}
		b.WriteString("/" + part)
	}
	name := b.String()
	e := a.byExact[name]
	if e == nil {
		e = &exact{name: name}
		a.byExact[name], a.exacts = e, append(a.exacts, e)
	}
	e.operations = append(e.operations, operations...)
}

// pattern is a path of the document with such a segment. deep says that it goes on with
// everything below.
type pattern struct {
	parts      []string
	deep       bool
	operations []*operation
}

// meeting is a path of the API that gets requests of operations.
type meeting struct {
	operations []*operation
	at         *made
}

// close takes from the paths of the API what they would allow and the document does not. It goes through the
// requests that the document has operations for, in all classes that the paths of the document and of the API
// tell apart, and compares who may send them by each. It notes what the API allows less.
func (a *adoption) close() {
	api := &access.API{Label: a.options.Label}
	for _, m := range a.paths {
		api.Paths = append(api.Paths, m.path)
	}
	gives := access.MatcherOf(api)
	met, ok := a.meetExact(gives)
	for _, p := range a.patterns {
		more, all := a.meetPattern(gives, p)
		met, ok = append(met, more...), ok && all
	}
	if !ok {
		a.closeAll()
		return
	}
	for _, m := range met {
		for _, o := range m.operations {
			m.at.asked |= o.actions
		}
	}
	for _, m := range met {
		m.at.restrict(m.operations, a.options.Terms)
	}
	for _, m := range met {
		for _, o := range m.operations {
			a.loseAccess(o, m.at)
		}
	}
}

// meetExact finds the paths of the API that get the requests of paths without patterns. ok is
// false if there is too much to look at.
func (a *adoption) meetExact(gives *access.Matcher) (met []meeting, ok bool) {
	wanted := access.NewMatcher()
	greedy := false
	for i, e := range a.exacts {
		wanted.Add(e.name, i)
		greedy = greedy || strings.HasSuffix(e.name, access.ProxyPath)
	}
	// Documents that gatewright wrote leave out proxy resources that only requests with an empty
	// segment reach.
	greedy = greedy && len(a.explicit) == 0
	type pair struct{ wanted, gives int }
	start := pair{wanted.Start(), gives.Start()}
	seen := map[pair]bool{start: true}
	queue := []pair{start}
	done := make(map[[2]int]bool)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		from, to := wanted.Resource(at.wanted), gives.Resource(at.gives)
		if both := [2]int{from, to / 2}; from != access.NoResource && to != access.NoResource && !done[both] {
			done[both] = true
			met = append(met, meeting{a.exacts[from].operations, a.paths[to/2]})
		}
		texts := append([]string{other}, wanted.Texts(at.wanted)...)
		texts = append(texts, gives.Texts(at.gives)...)
		if greedy {
			texts = append(texts, "")
		}
		for _, text := range texts {
			next := pair{wanted.Next(at.wanted, text), gives.Next(at.gives, text)}
			if seen[next] || wanted.Dead(next.wanted) || gives.Dead(next.gives) {
				continue
			}
			if len(seen) >= mostPairs {
				return nil, false
			}
			seen[next] = true
			queue = append(queue, next)
		}
	}
	return met, true
}

// meetPattern is meetExact for one path with patterns, all of whose requests count, even if
// another path of the document matches them too.
func (a *adoption) meetPattern(gives *access.Matcher, p pattern) (met []meeting, ok bool) {
	type step struct{ read, at int }
	start := step{0, gives.Start()}
	seen := map[step]bool{start: true}
	queue := []step{start}
	done := make(map[int]bool)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if at.read == len(p.parts) {
			if to := gives.Resource(at.at); to != access.NoResource && !done[to/2] {
				done[to/2] = true
				met = append(met, meeting{p.operations, a.paths[to/2]})
			}
			if !p.deep {
				continue
			}
		}
		for _, text := range p.texts(gives, at.read, at.at) {
			next := step{min(at.read+1, len(p.parts)), gives.Next(at.at, text)}
			if !seen[next] && !gives.Dead(next.at) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		if len(seen) > mostPairs {
			return nil, false
		}
	}
	return met, true
}

// texts returns texts for the segment of a pattern at a position, one for each class.
func (p pattern) texts(gives *access.Matcher, read, at int) []string {
	if read == len(p.parts) {
		return append([]string{other, ""}, gives.Texts(at)...)
	}
	if !strings.Contains(p.parts[read], "{") {
		return p.parts[read : read+1]
	}
	texts := []string{other}
	for _, text := range gives.Texts(at) {
		if fits(text, p.parts[read]) {
			texts = append(texts, text)
		}
	}
	return texts
}

// restrict closes a path of the API for what the operations do not allow.
func (m *made) restrict(operations []*operation, terms access.Terms) {
	for _, o := range operations {
		for _, action := range o.actions.List() {
			access, from := restrict(m.path.Access, o.need, action, m.asked, terms)
			if len(from) > 0 {
				m.path.Access = access
				m.stricter = append(m.stricter, o)
			}
		}
	}
}

// loseAccess notes who may send an operation by the document, and may not send all of its
// requests to the API, because one of the paths that get them is stricter.
func (a *adoption) loseAccess(o *operation, m *made) {
	whom := []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}}
	if o.need.access != nil {
		for _, group := range o.need.access.Groups() {
			whom = append(whom, access.Principal{Kind: access.Group, Group: group})
		}
	}
	for _, action := range o.actions.List() {
		var lost []string
		for _, who := range whom {
			if o.need.allows(who, action, a.options.Terms) && !m.path.Access.Allowed(who, a.options.Terms).Has(action) {
				lost = append(lost, who.String())
			}
		}
		if len(lost) == 0 {
			continue
		}
		because := "whose own operations are stricter"
		for _, s := range m.stricter {
			if s.actions.Has(action) && s.Operation != o.Operation {
				because = "which must be as strict as " + s.Method + " " + phrase.Quote(s.Item.Name)
				break
			}
		}
		a.lose(Closed, o.Place, "leave it, or change who has access with: gatewright update path",
			"%s may not %s all that %s %s stands for: it goes to %s in part, %s",
			phrase.List(lost), action, o.Method, phrase.Quote(o.Item.Name), phrase.Quote(m.path.Name), because)
		return
	}
}

// closeAll closes all paths, when they are too many to compare.
func (a *adoption) closeAll() {
	for _, m := range a.paths {
		if m.path.Access.Setting != access.Private {
			m.path.Access = access.Access{Setting: access.Private}.With(access.Principal{Kind: access.Authenticated},
				access.EveryAction)
		}
	}
	a.lose(Closed, openapi.Place{Line: 1, Column: 1}, "split the document, or open paths with: gatewright update path",
		"the paths cross in too many ways to compare: no path is open, or for guests")
}
