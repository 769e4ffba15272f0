package board

import (
	"slices"

	"gatewright/model"
)

// InOrder sorts paths by the order in which requests are matched.
func InOrder(paths []*model.Path) []*model.Path {
	return slices.SortedStableFunc(slices.Values(paths),
		func(a, b *model.Path) int { return model.CompareResources(a.Name, b.Name) })
}

// Takeovers are the requests that paths take from other paths, for each API.
type Takeovers map[*model.API][]model.Takeover

// takeoversIn finds the takeovers in all APIs. With many paths that takes a while.
func takeoversIn(b *model.Backend) Takeovers {
	all := make(Takeovers, len(b.APIs))
	for _, api := range b.APIs {
		all[api] = api.Takeovers()
	}
	return all
}

// Of are the takeovers of an API, which may be of the last push.
func (t Takeovers) Of(api *model.API) []model.Takeover {
	if all, known := t[api]; known {
		return all
	}
	return api.Takeovers()
}
