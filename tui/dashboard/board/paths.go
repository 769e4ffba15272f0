package board

import (
	"slices"

	"gatewright/model"
)

// InOrder are paths in the order in which requests are matched.
func InOrder(paths []*model.Path) []*model.Path {
	return slices.SortedStableFunc(slices.Values(paths), func(a, b *model.Path) int { return model.CompareResources(a.Name, b.Name) })
}

// Takeovers are which requests paths take from others, for each API.
type Takeovers map[*model.API][]model.Takeover

// takeoversIn are those of the APIs of a backend. Of many paths they take a while.
func takeoversIn(b *model.Backend) Takeovers {
	all := make(Takeovers, len(b.APIs))
	for _, api := range b.APIs {
		all[api] = api.Takeovers()
	}
	return all
}

// Of are those of one API, which need not be of the backend.
func (t Takeovers) Of(api *model.API) []model.Takeover {
	if all, known := t[api]; known {
		return all
	}
	return api.Takeovers()
}
