// Package accesstest holds what is said about differences in access against what is decided:
// it draws pairs of backends, and finds a request that is decided otherwise and that nothing
// names. It is for tests, of the model and of every screen that shows differences.
package accesstest

import (
	"strings"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
)

// Access draws who may do what under a path. The groups are A, B and C.
func Access(t *rapid.T) access.Access {
	rules := access.Access{Setting: rapid.SampledFrom(access.Settings).Draw(t, "setting")}
	actions := rapid.Uint8Range(0, uint8(access.EveryAction))
	for _, who := range []access.Principal{
		{Kind: access.Authenticated},
		{Kind: access.Guest},
		{Kind: access.Group, Group: "A"},
		{Kind: access.Group, Group: "B"},
		{Kind: access.Group, Group: "C"},
	} {
		if rapid.Bool().Draw(t, "granted") {
			rules = rules.With(who, access.Actions(actions.Draw(t, "actions")))
		}
	}
	return rules
}

// Sides draws two backends that often share paths and accesses. They have the APIs one and two, or less, and may
// differ in the order of the groups and in whether guests have an identity.
func Sides(t *rapid.T) (was, now *model.Backend) {
	side := func() *model.Backend {
		b := &model.Backend{Groups: rapid.SampledFrom([][]string{
			nil, {"A"}, {"B", "A"}, {"A", "B", "C"}, {"C", "B", "A"}, {"D", "C", "A"}, {"A", "D", "B", "C"},
		}).Draw(t, "groups")}
		if rapid.Bool().Draw(t, "auth") {
			guests := rapid.Bool().Draw(t, "guests have an identity")
			b.Auth = &model.Auth{UnauthenticatedIdentitiesEnabled: &guests}
		}
		return b
	}
	accesses := rapid.SliceOfN(rapid.Custom(Access), 1, 3).Draw(t, "accesses")
	segment := rapid.SampledFrom([]string{"a", "b", "1", "{x}"})
	names := rapid.SliceOfN(rapid.SliceOfN(segment, 0, 4), 1, 9).Draw(t, "paths")
	was, now = side(), side()
	for _, label := range []string{"one", "two"} {
		for _, b := range []*model.Backend{was, now} {
			if rapid.IntRange(0, 4).Draw(t, "left out") == 0 {
				continue
			}
			b.APIs = append(b.APIs, api(t, label, names, accesses))
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "same order") > 3 {
		now.Groups = was.Groups
	}
	return was, now
}

// api draws an API with some of the paths. Each has a function of its own.
func api(t *rapid.T, label string, names [][]string, accesses []access.Access) *access.API {
	made := &access.API{Label: label}
	for _, segments := range names {
		if rapid.IntRange(0, 3).Draw(t, "lacks") == 0 {
			continue
		}
		path := &access.Path{
			Name: "/" + strings.Join(segments, "/"), Function: "of-" + strings.Join(segments, "-"),
			Access: rapid.SampledFrom(accesses).Draw(t, "access"),
		}
		if len(segments) == 0 && rapid.Bool().Draw(t, "reserved") {
			path.Name = access.ProxyPath
		}
		made.Paths = append(made.Paths, path)
	}
	return made
}
