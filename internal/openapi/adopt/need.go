package adopt

import (
	"slices"

	"gatewright/internal/openapi"
	"gatewright/model"
)

// need says who may send an operation, by the document.
type need struct {
	// public says that everybody may, without credentials.
	public bool
	// access is who may if not everybody: nil stands for every signed-in user.
	access *model.Access
	// unsigned says that other credentials are asked for than a signature, which guests do not
	// have.
	unsigned bool
}

// allows reports whether a principal may send an operation with an action.
func (n need) allows(who model.Principal, action model.Action) bool {
	switch {
	case n.public:
		return true
	case n.unsigned && who.Kind == model.Guest:
		return false
	case n.access != nil:
		return n.access.Allowed(who).Has(action)
	}
	return who.Kind != model.Guest
}

// actionsOf returns the actions that an operation needs; none for a method that no path
// serves, and for the CORS preflight. An operation for all other methods does not need those
// whose methods its path item has, or read if that has GET: HEAD goes with it.
func actionsOf(o *openapi.Operation) model.Actions {
	if o.Method != openapi.AnyMethod {
		action, _ := model.ActionOf(o.Method)
		return model.Actions(action)
	}
	var actions model.Actions
	for _, action := range model.AllActions {
		for _, method := range action.Methods() {
			if !slices.ContainsFunc(o.Item.Operations, func(o *openapi.Operation) bool { return o.Method == method }) {
				actions |= model.Actions(action)
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
	public, secured model.Actions
}

func (t *tally) add(o *operation) {
	if o.need.public {
		t.public |= o.actions
	} else {
		t.secured |= o.actions
	}
}

// mixed reports actions that public and other operations need.
func (t tally) mixed() model.Actions { return t.public & t.secured }

func (t tally) actions() model.Actions { return t.public | t.secured }

// setting returns the mode of access.
func (t tally) setting() model.Setting {
	switch {
	case t.public.Without(t.secured) == 0:
		return model.Private
	case t.secured == 0:
		return model.Open
	}
	return model.Protected
}

// access returns who may do what on a path with these operations.
func (t tally) access() model.Access {
	access := model.Access{Setting: t.setting()}
	if access.Setting == model.Open {
		return access
	}
	if access.Setting == model.Protected {
		access = access.With(model.Principal{Kind: model.Guest}, t.public.Without(t.secured))
	}
	return access.With(model.Principal{Kind: model.Authenticated}, t.actions())
}

// restrict takes an action from everybody whom a need does not allow it, and reports from
// whom. The access of an open path becomes one with entries, for the actions that are asked of
// the path.
func restrict(access model.Access, n need, action model.Action, asked model.Actions) (model.Access, []model.Principal) {
	whom := []model.Principal{{Kind: model.Guest}, {Kind: model.Authenticated}}
	groups := access.Groups()
	if n.access != nil {
		groups = append(groups, n.access.Groups()...)
	}
	for _, group := range groups {
		whom = append(whom, model.Principal{Kind: model.Group, Group: group})
	}
	var from []model.Principal
	for _, who := range whom {
		if !access.Allowed(who).Has(action) || n.allows(who, action) || slices.Contains(from, who) {
			continue
		}
		from = append(from, who)
	}
	if len(from) == 0 {
		return access, nil
	}
	had := access.Allowed
	if access.Setting == model.Open {
		had = func(model.Principal) model.Actions { return asked }
		access = model.Access{Setting: model.Protected}
		for _, who := range whom[:2] {
			access = access.With(who, asked)
		}
	}
	for _, who := range from {
		access = access.With(who, had(who).Without(model.Actions(action)))
	}
	if left, _ := access.Grant(model.Principal{Kind: model.Guest}); left == 0 && access.Setting == model.Protected {
		access.Setting = model.Private
		access.Grants = slices.DeleteFunc(slices.Clone(access.Grants),
			func(g model.Grant) bool { return g.To.Kind == model.Guest })
	}
	return access, from
}
