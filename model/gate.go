package model

import (
	"slices"

	"gatewright/model/access"
)

// Gate returns what decides who may do what. That of a nil backend lets nobody in.
func (b *Backend) Gate() access.Gate {
	if b == nil {
		return access.Gate{Terms: access.Terms{NoGuests: !(*Auth)(nil).GuestsEnabled()}}
	}
	return access.Gate{APIs: b.APIs, Groups: b.RoleOrder(), Terms: b.Terms()}
}

// Terms returns what the rules of the backend's paths mean.
func (b *Backend) Terms() access.Terms {
	var terms access.Terms
	if b.Layout != nil {
		terms = b.Layout.Terms()
	}
	terms.NoGuests = !b.Auth.GuestsEnabled()
	return terms
}

// Near returns the backend without the paths that serve no request which one of these paths, raw or not, may
// serve. It decides those requests as b does.
func (b *Backend) Near(paths ...string) *Backend {
	near := *b
	if b.Terms().Below {
		return &near
	}
	// The order of groups that the pool lacks is that in which paths name them.
	lacks := func(g access.Grant) bool { return g.To.Kind == access.Group && !slices.Contains(b.Groups, g.To.Group) }
	near.APIs = Mapped(b.APIs, func(api *access.API) *access.API {
		some := *api
		some.Paths = slices.DeleteFunc(slices.Clone(api.Paths), func(p *access.Path) bool {
			return !slices.ContainsFunc(paths, p.Meets) && !slices.ContainsFunc(p.Access.Grants, lacks)
		})
		return &some
	})
	return &near
}

// Router makes the router of one of the backend's APIs; nil when there is none.
func (b *Backend) Router(label string) *access.Router { return b.Gate().Router(label) }

// Routers returns a function that gives the router of an API, as Router does, and makes it once.
// It is for one goroutine.
func (b *Backend) Routers() func(label string) *access.Router { return b.Gate().Routers() }

// Rules makes the rules of an API, which may be none of the backend's.
func (b *Backend) Rules(api *access.API) access.Rules {
	terms := b.Terms()
	if !terms.Below {
		return access.NewRules(api, nil, terms) // the order of groups, which is dear, does not matter
	}
	return b.Gate().RulesOf(api)
}

// AccessRow says for each principal what they may do under one path (see RowOf).
func (b *Backend) AccessRow(path *access.Path, groups []string) access.Row {
	return access.RowOf(path, groups, b.Terms())
}
