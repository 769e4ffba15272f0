package model

import (
	"slices"
	"strconv"
)

// AlikeAccess is differences in access of many paths that are alike: the same callers gain or
// lose the same actions. It also is one difference alone.
type AlikeAccess []AccessDifference

// fewAlike is how many differences that are alike are still told one by one.
const fewAlike = 3

// Alike puts differences of many paths together that are alike, so that the ones that
// stand alone are seen beside them. The order is that of the first of each group.
func Alike(differences []AccessDifference) []AlikeAccess {
	type kind struct {
		who     Principal
		alsoIn  string
		anybody bool
		gained  bool
		actions Actions
	}
	of := func(d AccessDifference) kind { return kind{d.Who, d.AlsoIn, d.Anybody, d.Gained, d.Actions} }
	alike := make(map[kind]AlikeAccess)
	for _, d := range differences {
		alike[of(d)] = append(alike[of(d)], d)
	}
	var groups []AlikeAccess
	for _, d := range differences {
		switch all := alike[of(d)]; {
		case all == nil: // it is in a group already
		case len(all) <= fewAlike:
			groups = append(groups, AlikeAccess{d})
		default:
			groups = append(groups, all)
			alike[of(d)] = nil
		}
	}
	return groups
}

// Gained reports whether the callers gain something.
func (g AlikeAccess) Gained() bool { return len(g) > 0 && g[0].Gained }

// Words returns the group as a sentence. named says that one difference names its API:
// "everybody may now do everything on 50 paths of API shop, such as /a, /b and /c (POST /a)".
func (g AlikeAccess) Words(named bool) string {
	first := g[0]
	if len(g) == 1 {
		if named {
			return first.String()
		}
		return first.Words()
	}
	var apis, paths []string
	for _, d := range g {
		if !slices.Contains(apis, d.API) {
			apis = append(apis, d.API)
		}
	}
	for _, d := range g[:fewAlike] {
		path := Quote(d.Path)
		if len(apis) > 1 {
			path += " of " + Quote(d.API)
		}
		paths = append(paths, path)
	}
	of := ""
	switch {
	case len(apis) > 1:
		of = " of " + strconv.Itoa(len(apis)) + " APIs"
	case named:
		of = " of API " + Quote(first.API)
	}
	return first.who() + " on " + strconv.Itoa(len(g)) + " paths" + of + ", such as " + enumerated(paths) + " (" + first.Example() + ")"
}

// AccessWords returns a sentence for each group. They name the APIs if the backend, which has
// that many, or the differences have more than one.
func AccessWords(groups []AlikeAccess, apis int) []string {
	named := apis > 1 || slices.ContainsFunc(groups, func(g AlikeAccess) bool {
		return slices.ContainsFunc(g, func(d AccessDifference) bool { return d.API != groups[0][0].API })
	})
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = g.Words(named)
	}
	return words
}
