package access

import "slices"

// crossed says of an API of which a path lets in requests beside it that not all differences are listed,
// unless nothing of it differs.
func (c *accessComparison) crossed(was, now *API) {
	c.routers = [sides]*Router{}
	crosses := func(r Rules) bool { return r.around != nil && len(r.around.crossing) > 0 }
	if !slices.ContainsFunc(c.rules[:], crosses) || !c.changed() && sameAccess(was, now) {
		return
	}
	c.cut = true
	for side, api := range [sides]*API{was, now} {
		if api == nil {
			api = &API{}
		}
		c.routers[side] = c.gates[side].RouterOf(api)
	}
}

func sameAccess(was, now *API) bool {
	return was != nil && now != nil && slices.EqualFunc(was.Paths, now.Paths, func(w, n *Path) bool {
		return w.Name == n.Name && w.Access.Equal(n.Access)
	})
}

// asked returns a difference with the methods of which it is so.
func (c *accessComparison) asked(d Difference) Difference {
	if c.routers[before] == nil {
		return d
	}
	d.Methods = slices.DeleteFunc(slices.Clone(d.Methods), func(method string) bool {
		could := c.routers[before].Decide(d.Caller(), method, d.Raw).Allowed
		return could == d.Gained || c.routers[after].Decide(d.Caller(), method, d.Raw).Allowed != d.Gained
	})
	for _, a := range AllActions {
		if !slices.Contains(d.Methods, Terms{}.Methods(a)[0]) {
			d.Actions = d.Actions.Without(Actions(a))
		}
	}
	return d
}
