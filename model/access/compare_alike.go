package access

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gatewright/internal/text/phrase"
)

// Alike is differences in access of many paths that are alike: the same callers gain or
// lose the same actions. It also is one difference alone.
type Alike []Difference

const (
	// fewAlike is how many differences that are alike are still told one by one, and how many
	// paths are examples of many.
	fewAlike = 3
	// mostNamed is how many paths of what is gained are all named: what a person opens by hand
	// must not hide among paths that are alike.
	mostNamed = 100
)

// Grouped puts differences of many paths together that are alike. What is gained comes first, and on each side what
// stands alone, so that many names do not hide it; else the order is that of the first of each group.
func Grouped(differences []Difference) []Alike {
	type kind struct {
		who     Principal
		alsoIn  string
		anybody bool
		gained  bool
		actions Actions
		head    bool
	}
	of := func(d Difference) kind {
		return kind{d.Who, d.AlsoIn, d.Anybody, d.Gained, d.Actions, d.headAlone()}
	}
	alike := make(map[kind]Alike)
	for _, d := range differences {
		alike[of(d)] = append(alike[of(d)], d)
	}
	var groups []Alike
	for _, d := range differences {
		switch all := alike[of(d)]; {
		case all == nil: // it is in a group already
		case len(all) <= fewAlike:
			groups = append(groups, Alike{d})
		default:
			groups = append(groups, all)
			alike[of(d)] = nil
		}
	}
	slices.SortStableFunc(groups, func(x, y Alike) int {
		return cmp.Or(cmp.Compare(losing(x[0]), losing(y[0])), cmp.Compare(min(len(x), fewAlike), min(len(y), fewAlike)))
	})
	return groups
}

// Gained reports whether the callers gain something.
func (g Alike) Gained() bool { return len(g) > 0 && g[0].Gained }

// Words returns the group as a sentence. named says that one difference names its API:
// "guests may now read on 4 paths of API shop: /a, /b, /c and /d (GET /a)". Of paths where
// something is lost, and of more than anybody reads, three are examples: "such as /a, /b and /c".
func (g Alike) Words(named bool) string {
	first := g[0]
	if len(g) == 1 {
		if named {
			return first.String()
		}
		return first.Words()
	}
	var apis []string
	for _, d := range g {
		if !slices.Contains(apis, d.API) {
			apis = append(apis, d.API)
		}
	}
	of := ""
	switch {
	case len(apis) > 1:
		of = " of " + strconv.Itoa(len(apis)) + " APIs"
	case named:
		of = " of API " + phrase.Quote(first.API)
	}
	return first.who() + " on " + strconv.Itoa(len(g)) + " paths" + of + g.names(len(apis) > 1) +
		" (" + first.Example() + ")"
}

// names are the paths of many differences: all of them, or three examples. several says that
// they have more than one API.
func (g Alike) names(several bool) string {
	named, such := g, ": "
	if !g.Gained() || len(g) > mostNamed {
		named, such = g[:fewAlike], ", such as "
	}
	var ofAPIs, paths []string
	for i, d := range named {
		paths = append(paths, phrase.Quote(d.Path))
		if i+1 < len(named) && named[i+1].API == d.API {
			continue
		}
		of := phrase.Enumerated(paths)
		if several {
			of += " of " + phrase.Quote(d.API)
		}
		ofAPIs, paths = append(ofAPIs, of), nil
	}
	return such + strings.Join(ofAPIs, "; ")
}

// Words returns a sentence for each group. They name the APIs if the backend, which has
// that many, or the differences have more than one.
func Words(groups []Alike, apis int) []string {
	named := apis > 1 || slices.ContainsFunc(groups, func(g Alike) bool {
		return slices.ContainsFunc(g, func(d Difference) bool { return d.API != groups[0][0].API })
	})
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = g.Words(named)
	}
	return words
}
