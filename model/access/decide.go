package access

import (
	"slices"

	"gatewright/internal/text/phrase"
)

// Caller is who sends a request: a stranger, a signed-in user, or else a guest.
type Caller struct {
	SignedIn bool
	// Stranger says that the caller's credentials are invalid, or missing although required.
	Stranger bool
	// Groups are those that the caller is a member of, in any order.
	Groups []string
}

// Rule is the kind of rule that a Decision rests on.
type Rule uint8

// The rules. The first three hold for everybody. The next three say which entry of the path's
// permissions decides.
const (
	NoRoute Rule = iota
	Preflight
	OpenToAll
	ByGuest
	ByAuthenticated
	ByGroup
	// ByStranger refuses callers whose credentials are not valid, GuestsOff refuses guests if
	// guests get no identity.
	ByStranger
	GuestsOff
)

// Decision is whether a caller may send a request, and the rule behind it.
type Decision struct {
	Allowed bool
	Rule    Rule
	// As is the principal that the caller acts as; it matters for the rules
	// ByGuest, ByAuthenticated and ByGroup.
	As     Principal
	Action Action
	Route  Route
}

// Decide says whether a caller may send a method to a raw path (see Match).
// The whole program decides with it:
//
//   - a request that no path serves is refused to everybody;
//   - the CORS preflight needs no grant;
//   - an open path serves everybody;
//   - other paths refuse strangers, and guests if guests get no identity;
//   - a guest needs the guests' entry of a protected path;
//   - a member of groups acts as one of them (see FirstGroup) if the path has an entry
//     for that group, else as any signed-in user.
func (r *Router) Decide(caller Caller, method, raw string) Decision {
	route, ok := r.Match(method, raw)
	if !ok {
		return Decision{Rule: NoRoute}
	}
	if method == "OPTIONS" {
		return Decision{Allowed: true, Rule: Preflight, Route: route}
	}
	action, _ := ActionOf(method)
	d := Decision{Action: action, Route: route}
	access := route.Path.Access
	if access.Setting == Open {
		d.Allowed, d.Rule = true, OpenToAll
		return d
	}
	switch {
	case caller.Stranger:
		d.Rule = ByStranger
		return d
	case !caller.SignedIn && r.guestless:
		d.As, d.Rule = Principal{Kind: Guest}, GuestsOff
		return d
	}
	d.As, d.Rule = r.actsAs(caller, access)
	d.Allowed = access.Allowed(d.As).Has(action)
	return d
}

func (r *Router) actsAs(caller Caller, access Access) (Principal, Rule) {
	if !caller.SignedIn {
		return Principal{Kind: Guest}, ByGuest
	}
	if first := FirstGroup(r.groups, caller.Groups); first != "" {
		p := Principal{Kind: Group, Group: first}
		if _, named := access.Grant(p); named {
			return p, ByGroup
		}
	}
	return Principal{Kind: Authenticated}, ByAuthenticated
}

// FirstGroup returns the group that a member of several groups acts as: the first in the
// order of precedence, since the identity pool gives one role. It is "" for a member of
// none of them.
func FirstGroup(order, member []string) string {
	for _, group := range order {
		if slices.Contains(member, group) {
			return group
		}
	}
	return ""
}

// Reason explains the decision in one sentence.
func (d Decision) Reason() string {
	switch d.Rule {
	case NoRoute:
		return "no path serves this request"
	case Preflight:
		return "the CORS preflight needs no grant"
	case OpenToAll:
		return phrase.Quote(d.Route.Path.Name) + " is open to everybody"
	case ByStranger:
		return phrase.Quote(d.Route.Path.Name) + " is restricted, and the caller is unknown"
	case GuestsOff:
		return phrase.Quote(d.Route.Path.Name) +
			" is restricted, and guests have no identity (unauthenticated_identities_enabled is false)"
	}
	if d.Allowed {
		return d.As.String() + " may " + d.Action.String() + " under " + phrase.Quote(d.Route.Path.Name)
	}
	return d.As.String() + " may not " + d.Action.String() + " under " + phrase.Quote(d.Route.Path.Name)
}
