package board

import (
	"slices"

	"gatewright/model"
	"gatewright/model/access"
)

// InOrder sorts paths by the order in which requests are matched.
func InOrder(paths []*access.Path) []*access.Path {
	return slices.SortedStableFunc(slices.Values(paths),
		func(a, b *access.Path) int { return access.CompareResources(a.Name, b.Name) })
}

// Takeovers are the requests that paths take from other paths, for each API.
type Takeovers map[*access.API][]access.Takeover

// takeoversIn finds the takeovers in all APIs. With many paths that takes a while.
func takeoversIn(b *model.Backend) Takeovers {
	all := make(Takeovers, len(b.APIs))
	for _, api := range b.APIs {
		all[api] = api.Takeovers()
	}
	return all
}

// Of are the takeovers of an API, which may be of the last push.
func (t Takeovers) Of(api *access.API) []access.Takeover {
	if all, known := t[api]; known {
		return all
	}
	return api.Takeovers()
}
