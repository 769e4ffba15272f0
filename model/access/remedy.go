package access

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

// Rule says who may do what under a path, after its name: `/books is protected: guests may read`.
func (p *Path) Rule() string {
	text := phrase.Quote(p.Name) + " is " + phrase.Quote(string(p.Access.Setting)) + ": "
	if len(p.Access.Grants) == 0 {
		return text + "nobody may call it"
	}
	parts := make([]string, len(p.Access.Grants))
	for i, g := range p.Access.Grants {
		parts[i] = g.To.String() + " may " + g.Actions.String()
	}
	return text + strings.Join(parts, "; ")
}

// Remedy says what would allow a request that Decide refuses to a caller: `sign in, or let guests
// create under /books`. groups are those that a user can be a member of.
func (r *Router) Remedy(who Caller, groups []string, method, raw string) string {
	d := r.Decide(who, method, raw)
	allows := func(caller Caller) bool { return r.Decide(caller, method, raw).Allowed }
	var ways []string
	if !who.SignedIn && allows(Caller{SignedIn: true}) {
		ways = append(ways, "sign in")
	} else {
		enough := slices.DeleteFunc(slices.Clone(groups), func(g string) bool {
			return !allows(Caller{SignedIn: true, Groups: append(slices.Clone(who.Groups), g)})
		})
		if len(enough) > 0 {
			way := "become a member of "
			if !who.SignedIn {
				way = "sign in as a member of "
			}
			ways = append(ways, way+anyOf(enough))
		}
	}
	name := phrase.Quote(d.Route.Path.Name)
	switch {
	case d.Action == 0:
		ways = append(ways, "send GET")
	case d.Rule == GuestsOff && d.Route.Path.Access.Allowed(d.As, r.terms).Has(d.Action):
		ways = append(ways, "give guests an identity (unauthenticated_identities_enabled)")
	case d.Rule == GuestsOff:
		ways = append(ways, "give guests an identity (unauthenticated_identities_enabled) and let them "+d.Action.String()+
			" under "+name)
	case d.As.Kind == Guest && d.Route.Path.Access.Setting != Protected:
		ways = append(ways, "make "+name+" protected and let guests "+d.Action.String()+" there")
	default:
		ways = append(ways, "let "+d.As.String()+" "+d.Action.String()+" under "+name)
	}
	return strings.Join(ways, ", or ")
}

func anyOf(groups []string) string {
	if len(groups) == 1 {
		return phrase.Quote(groups[0])
	}
	return "one of " + phrase.QuoteList(groups)
}
