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

// The rules. The first three hold for everybody. The next five say which entry decides, or that none does.
const (
	NoRoute Rule = iota
	Preflight
	OpenToAll
	ByGuest
	ByAuthenticated
	ByGroup
	// ByNoEntry refuses a member of a group that the path has no entry for, where members act as their group alone.
	ByNoEntry
	// ByPathAbove allows what Decision.Above grants, whose roles cover the path.
	ByPathAbove
	// ByStranger refuses callers whose credentials are not valid, GuestsOff refuses guests if guests get no identity.
	ByStranger
	GuestsOff
)

// Acts reports whether the rule is about the principal that the caller acts as.
func (r Rule) Acts() bool { return r >= ByGuest && r <= ByPathAbove }

// Decision is whether a caller may send a request, and the rule behind it.
type Decision struct {
	Allowed bool
	Rule    Rule
	// As is the principal that the caller acts as, for rules that are about it (see Rule.Acts).
	As Principal
	// Action is what the method needs; 0 if no rule allows the method (see Terms.ActionOf).
	Action Action
	Route  Route
	// Above is the path whose grant decides for ByPathAbove; else nil.
	Above *Path
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
//     for that group, else as any signed-in user, or is refused (see Terms);
//   - what paths above grant holds too where their roles cover it (see Terms).
func (r *Router) Decide(caller Caller, method, raw string) Decision {
	route, ok := r.Match(method, raw)
	if !ok {
		return Decision{Rule: NoRoute}
	}
	if method == "OPTIONS" {
		return Decision{Allowed: true, Rule: Preflight, Route: route}
	}
	action, _ := r.terms.ActionOf(method)
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
	case !caller.SignedIn && r.terms.NoGuests:
		d.As, d.Rule = Principal{Kind: Guest}, GuestsOff
		return d
	}
	d.As, d.Rule = r.actsAs(caller, access)
	if d.Allowed = access.Allowed(d.As, r.terms).Has(action); d.Allowed {
		return d
	}
	if above := r.grantedAbove(d, raw); above != nil {
		d.Allowed, d.Rule, d.Above = true, ByPathAbove, above
	}
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
		if r.terms.GroupAlone {
			return p, ByNoEntry
		}
	}
	return Principal{Kind: Authenticated}, ByAuthenticated
}

// FirstGroup returns the group that a member of several groups acts as: the first in the order of precedence, since
// the identity pool gives one role. It is "" for a member of none of them.
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
	case ByNoEntry:
		return d.As.String() + " act as " + phrase.Quote(d.As.Group) + " only, and " +
			phrase.Quote(d.Route.Path.Name) + " has no entry for that group"
	}
	if d.Above != nil {
		above := phrase.Quote(d.Above.Name)
		return d.As.String() + " may " + d.Action.String() + " under " + above +
			", and in this project callers of " + above + " may call everything below it"
	}
	if d.Action == 0 {
		return "in this project read means GET only, and only an open path serves HEAD"
	}
	if d.Allowed {
		return d.As.String() + " may " + d.Action.String() + " under " + phrase.Quote(d.Route.Path.Name)
	}
	return d.As.String() + " may not " + d.Action.String() + " under " + phrase.Quote(d.Route.Path.Name)
}
