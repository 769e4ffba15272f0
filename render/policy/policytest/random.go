// Package policytest makes random APIs for tests of policies: their paths cross each other as much as they can.
package policytest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"gatewright/model/access"
)

// Function is the handler function of all paths.
const Function = "handler"

// Texts are the static texts of the random paths.
var Texts = []string{"a", "ab"}

// API makes an API whose paths have the texts and variables, under rules for guests, signed-in users and the groups.
func API(random *rand.Rand, groups []string) *access.API {
	api := &access.API{Label: "shop"}
	for range 1 + random.IntN(6) {
		var segments []string
		for i := range random.IntN(4) {
			segments = append(segments, append(Texts, fmt.Sprintf("{v%d}", i))[random.IntN(len(Texts)+1)])
		}
		if name := "/" + strings.Join(segments, "/"); api.Path(name) == nil {
			api.Paths = append(api.Paths, &access.Path{Name: name, Function: Function, Access: accessFor(random, groups)})
		}
	}
	return api
}

func accessFor(random *rand.Rand, groups []string) access.Access {
	a := access.Access{Setting: access.Settings[random.IntN(len(access.Settings))]}
	if a.Setting == access.Open {
		return a
	}
	a = a.With(access.Principal{Kind: access.Authenticated}, access.Actions(random.IntN(int(access.EveryAction)+1)))
	if random.IntN(2) == 0 {
		a = a.With(access.Principal{Kind: access.Guest}, access.Actions(random.IntN(int(access.EveryAction)+1)))
	}
	for _, g := range groups {
		if random.IntN(2) == 0 {
			a = a.With(access.Principal{Kind: access.Group, Group: g}, access.Actions(random.IntN(int(access.EveryAction)+1)))
		}
	}
	return a
}

// Paths lists all raw paths of at most so many segments: the texts, another text, and, if
// empty is set, the empty one.
func Paths(most int, empty bool) []string {
	segments := append([]string{"other"}, Texts...)
	if empty {
		segments = append(segments, "")
	}
	all, last := []string{"/"}, []string{""}
	for range most {
		var next []string
		for _, prefix := range last {
			for _, s := range segments {
				next = append(next, prefix+"/"+s)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}
