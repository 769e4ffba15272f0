package adopt

import (
	"slices"

	"gatewright/internal/openapi"
	"gatewright/model/access"
)

// need says who may send an operation, by the document.
type need struct {
	// public says that everybody may, without credentials.
	public bool
	// access is who may if not everybody: nil stands for every signed-in user.
	access *access.Access
	// unsigned says that other credentials are asked for than a signature, which guests do not
	// have.
	unsigned bool
}

// allows reports whether a principal may send an operation with an action.
func (n need) allows(who access.Principal, action access.Action, terms access.Terms) bool {
	switch {
	case n.public:
		return true
	case n.unsigned && who.Kind == access.Guest:
		return false
	case n.access != nil:
		return n.access.Allowed(who, terms).Has(action)
	}
	return who.Kind != access.Guest
}

// actionsOf returns the actions that an operation needs; none for a method that no path
// serves, and for the CORS preflight. An operation for all other methods does not need those
// whose methods its path item has, or read if that has GET: HEAD goes with it.
func actionsOf(o *openapi.Operation) access.Actions {
	if o.Method != openapi.AnyMethod {
		action, _ := access.Terms{}.ActionOf(o.Method)
		return access.Actions(action)
	}
	var actions access.Actions
	for _, action := range access.AllActions {
		for _, method := range (access.Terms{}).Methods(action) {
			if !slices.ContainsFunc(o.Item.Operations, func(o *openapi.Operation) bool { return o.Method == method }) {
				actions |= access.Actions(action)
			} else if method == "GET" {
				break
			}
		}
	}
	return actions
}

// tally sums up the operations that a path would serve: the actions that only public
// operations need, and those that others need.
type tally struct {
	public, secured access.Actions
}

func (t *tally) add(o *operation) {
	if o.need.public {
		t.public |= o.actions
	} else {
		t.secured |= o.actions
	}
}

// mixed reports actions that public and other operations need.
func (t tally) mixed() access.Actions { return t.public & t.secured }

func (t tally) actions() access.Actions { return t.public | t.secured }

// setting returns the mode of access.
func (t tally) setting() access.Setting {
	switch {
	case t.public.Without(t.secured) == 0:
		return access.Private
	case t.secured == 0:
		return access.Open
	}
	return access.Protected
}

// access returns who may do what on a path with these operations.
func (t tally) access() access.Access {
	rules := access.Access{Setting: t.setting()}
	if rules.Setting == access.Open {
		return rules
	}
	if rules.Setting == access.Protected {
		rules = rules.With(access.Principal{Kind: access.Guest}, t.public.Without(t.secured))
	}
	return rules.With(access.Principal{Kind: access.Authenticated}, t.actions())
}

// restrict takes an action from everybody whom a need does not allow it, and reports from whom. The access of
// an open path becomes one with entries, for the actions that are asked of the path.
func restrict(rules access.Access, n need, action access.Action,
	asked access.Actions, terms access.Terms,
) (access.Access, []access.Principal) {
	whom := []access.Principal{{Kind: access.Guest}, {Kind: access.Authenticated}}
	groups := rules.Groups()
	if n.access != nil {
		groups = append(groups, n.access.Groups()...)
	}
	for _, group := range groups {
		whom = append(whom, access.Principal{Kind: access.Group, Group: group})
	}
	var from []access.Principal
	for _, who := range whom {
		if !rules.Allowed(who, terms).Has(action) || n.allows(who, action, terms) || slices.Contains(from, who) {
			continue
		}
		from = append(from, who)
	}
	if len(from) == 0 {
		return rules, nil
	}
	before := rules
	had := func(who access.Principal) access.Actions { return before.Allowed(who, terms) }
	if rules.Setting == access.Open {
		had = func(access.Principal) access.Actions { return asked }
		rules = access.Access{Setting: access.Protected}
		for _, who := range whom[:2] {
			rules = rules.With(who, asked)
		}
	}
	for _, who := range from {
		rules = rules.With(who, had(who).Without(access.Actions(action)))
	}
	if left, _ := rules.Grant(access.Principal{Kind: access.Guest}); left == 0 && rules.Setting == access.Protected {
		rules.Setting = access.Private
		rules.Grants = slices.DeleteFunc(slices.Clone(rules.Grants),
			func(g access.Grant) bool { return g.To.Kind == access.Guest })
	}
	return rules, from
}
