package policy

import (
	"slices"

	"gatewright/model/access"
)

// Refusal is that AWS refuses requests that the definition allows, because patterns cannot
// tell them from requests of another path.
type Refusal struct {
	Who     access.Principal
	Actions access.Actions
	// Path is the path that serves the requests, Resource the resource: the path itself or its proxy resource.
	Path     *access.Path
	Resource string
	// Example is the raw path of one such request.
	Example string
	// EmptySegment says that only requests with an empty segment are refused, such as /a//b.
	EmptySegment bool
	// Because is the path whose requests would be let through otherwise. It is Path itself
	// if its own requests cannot be told from any others.
	Because *access.Path
}

func (m *maker) refusal(who access.Principal, action access.Action, l loss) Refusal {
	p := m.api.Paths[l.resource/2]
	r := Refusal{
		Who: who, Actions: access.ActionSet(action), Path: p, Resource: p.Name, Example: l.example,
		EmptySegment: l.odd, Because: m.api.Paths[l.because],
	}
	if l.resource%2 == 1 {
		r.Resource = access.ProxyOf(p.Name)
	}
	return r
}

// merged joins refusals that differ in their actions alone.
func merged(refusals []Refusal) []Refusal {
	var all []Refusal
	for _, r := range refusals {
		same := func(other Refusal) bool {
			return other.Who == r.Who && other.Resource == r.Resource && other.Example == r.Example &&
				other.EmptySegment == r.EmptySegment && other.Because == r.Because
		}
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].Actions |= r.Actions
			continue
		}
		all = append(all, r)
	}
	return all
}

// Fix says what to change.
func (r Refusal) Fix() string {
	if r.Because == r.Path {
		return "use a shorter path with plain segments"
	}
	return "give both paths the same rule, or move one of them below another first segment"
}

// Methods lists the methods of the actions, for an example.
func (r Refusal) Methods() []string {
	var methods []string
	for _, action := range r.Actions.List() {
		methods = append(methods, access.Terms{}.Methods(action)...)
	}
	return methods
}
