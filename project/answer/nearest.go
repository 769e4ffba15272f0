package answer

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model/access"
)

// nearestPaths returns a few paths that may be meant by a request: those with nearly the same beginning.
func nearestPaths(raw string, apis []*access.API) []string {
	const most = 3
	type near struct {
		path  string
		slips int
	}
	var found []near
	request := strings.Split(strings.Trim(raw, "/"), "/")
	for _, api := range apis {
		for _, p := range api.Paths {
			segments := strings.Split(strings.Trim(p.Name, "/"), "/")
			if p.Name == access.ProxyPath || p.Name == "/" || len(segments) > len(request)+1 {
				continue
			}
			for i, s := range segments {
				if i < len(request) && strings.HasPrefix(s, "{") {
					segments[i] = request[i]
				}
			}
			shared := min(len(segments), len(request))
			wanted, have := strings.Join(request[:shared], "/"), strings.Join(segments[:shared], "/")
			if slips, close := spelling.Slips(wanted, have); close {
				found = append(found, near{p.Name, slips})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.slips, b.slips) })
	var paths []string
	for _, n := range found {
		// Several APIs may have the same path.
		if len(paths) < most && !slices.Contains(paths, n.path) {
			paths = append(paths, n.path)
		}
	}
	return paths
}

// pathsOf returns a sentence that lists the paths.
func pathsOf(apis []*access.API) string {
	var names []string
	for _, api := range apis {
		for _, p := range api.Paths {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return "there is no path yet"
	}
	return "the paths are " + phrase.QuoteList(names)
}
