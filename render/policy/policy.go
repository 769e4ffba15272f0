package policy

import (
	"slices"

	"gatewright/model/access"
)

// Role is what one principal may call of an API: patterns of METHOD/path, such as GET/items, as they follow the stage
// in the ARN of a request. What Deny matches is refused although Allow matches it.
type Role struct {
	Who         access.Principal
	Allow, Deny []string
}

// Policies are the roles of an API, in the order guests, signed-in users, groups, and what
// is refused although the definition allows it.
type Policies struct {
	Roles    []Role
	Refusals []Refusal
}

// Of makes the policies of an API. order is the order of precedence of all groups. A principal
// that may do nothing has no role.
func Of(api *access.API, order []string, terms access.Terms) *Policies {
	policies, _ := within(mostStepsOfAll, api, order, terms)
	return policies
}

// Soon lists what Of would refuse, for a screen that must not wait. ok is false if that takes long, because many
// paths begin with a variable. Roles that cover what is below (see access.Terms) are not ours, and refuse nothing.
func Soon(api *access.API, order []string, terms access.Terms) (refusals []Refusal, ok bool) {
	const groups, paths, steps = 64, 150, 200_000
	if terms.Below {
		return nil, true
	}
	if len(order) > groups || len(api.Paths) > paths {
		return nil, false
	}
	policies, ok := within(steps, api, order, terms)
	if !ok {
		return nil, false
	}
	return policies.Refusals, true
}

// within makes the policies in so many steps at most; ok is false if they do not do.
func within(steps int, api *access.API, order []string, terms access.Terms) (made *Policies, ok bool) {
	m := maker{
		atlas: newAtlas(api), api: api, rules: access.NewRules(api, order, terms), solved: make(map[string]solution),
	}
	m.atlas.reserve = steps
	principals := []access.Principal{{Kind: access.Authenticated}}
	if !terms.NoGuests {
		principals = slices.Insert(principals, 0, access.Principal{Kind: access.Guest})
	}
	for _, group := range order {
		principals = append(principals, access.Principal{Kind: access.Group, Group: group})
	}
	var policies Policies
	for _, who := range principals {
		role, refusals := m.role(who)
		if len(role.Allow) > 0 {
			policies.Roles = append(policies.Roles, role)
		}
		policies.Refusals = append(policies.Refusals, refusals...)
	}
	policies.Refusals = merged(policies.Refusals)
	return &policies, !m.atlas.ended
}

// maker makes the roles of one API.
type maker struct {
	atlas *atlas
	api   *access.API
	// rules say who may do what.
	rules access.Rules
	// solved has the solutions by the rights on each path: many principals and actions have the same.
	solved map[string]solution
}

func (m *maker) role(who access.Principal) (Role, []Refusal) {
	role := Role{Who: who}
	var refusals []Refusal
	granted := make([]access.Actions, len(m.api.Paths))
	for i, p := range m.api.Paths {
		granted[i] = m.rules.Allowed(p, who)
	}
	for _, action := range access.AllActions {
		found := m.solve(granted, action)
		for _, method := range m.rules.Terms().Methods(action) {
			role.Allow = appendAll(role.Allow, method, found.allow)
			role.Deny = appendAll(role.Deny, method, found.deny)
		}
		for _, l := range found.lost {
			refusals = append(refusals, m.refusal(who, action, l))
		}
	}
	return role, refusals
}

func appendAll(to []string, method string, patterns []pattern) []string {
	for _, p := range patterns {
		to = append(to, method+"/"+p.String())
	}
	return to
}

func (m *maker) solve(granted []access.Actions, action access.Action) solution {
	rights := make([]right, len(granted))
	key := make([]byte, len(granted))
	for i, p := range m.api.Paths {
		switch {
		case p.Access.Setting == access.Open:
			rights[i] = open
		case granted[i].Has(action):
			rights[i] = allowed
		default:
			rights[i] = refused
		}
		key[i] = byte(rights[i])
	}
	found, known := m.solved[string(key)]
	if !known {
		found = m.atlas.solve(rights)
		m.solved[string(key)] = found
	}
	return found
}
