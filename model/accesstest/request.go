package accesstest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"gatewright/model/access"
)

// API draws an API without conflicts from few words, so that its paths often overlap.
func API(t *rapid.T) *access.API {
	segment := rapid.SampledFrom([]string{"a", "b", "c", "{x}", "{y}"})
	api := &access.API{Label: "shop"}
	names := rapid.SliceOfN(rapid.SliceOfN(segment, 0, 4), 1, 8).Draw(t, "paths")
	for _, segments := range names {
		next := *api
		next.Paths = append(slices.Clip(api.Paths), &access.Path{
			Name: "/" + strings.Join(segments, "/"), Function: "f", Access: Access(t),
		})
		if _, err := access.ParsePath(next.Paths[len(next.Paths)-1].Name); err == nil && len(next.Conflicts()) == 0 {
			api = &next
		}
	}
	return api
}

// Caller draws a caller, who may be a member of the groups A, B, C and Z.
func Caller(t *rapid.T) access.Caller {
	c := access.Caller{
		SignedIn: rapid.Bool().Draw(t, "signed in"),
		Stranger: rapid.IntRange(0, 4).Draw(t, "stranger") == 0,
	}
	if c.SignedIn {
		c.Groups = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "Z"}), 0, 4, rapid.ID).Draw(t, "groups")
	}
	return c
}

// Request draws a request to an API that API draws.
func Request(t *rapid.T) (method, raw string) {
	method = rapid.SampledFrom(access.Methods).Draw(t, "method")
	segments := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "", "%61"}), 0, 5).Draw(t, "request")
	return method, "/" + strings.Join(segments, "/")
}
