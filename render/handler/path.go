package handler

import (
	"cmp"
	"slices"
	"strings"
)

// segments returns the parts of a path between its slashes; "/" has none.
func segments(path string) []string {
	if path == "/" {
		return nil
	}
	return strings.Split(path, "/")[1:]
}

func isVariable(segment string) bool { return strings.HasPrefix(segment, "{") }

// narrowFirst sorts paths so that the first that matches a request is the one that API
// Gateway chooses: segment by segment, a fixed one before a variable, and a variable before
// the end of the path, where its proxy resource matches.
func narrowFirst(paths []string) []string {
	sorted, keys := slices.Clone(paths), make(map[string]string, len(paths))
	for _, path := range paths {
		keys[path] = widths(path)
	}
	slices.SortStableFunc(sorted, func(a, b string) int { return strings.Compare(keys[a], keys[b]) })
	return sorted
}

// widths returns what narrowFirst sorts a path by: a letter for each segment, and ~ for the end.
func widths(path string) string {
	var key strings.Builder
	for _, segment := range segments(path) {
		if isVariable(segment) {
			key.WriteByte('v')
		} else {
			key.WriteByte('f')
		}
	}
	return key.String() + "~"
}

// expressRoutes writes each path, and everything below it, in the syntax of Express 5
// (https://expressjs.com/en/guide/routing.html): ":name", or `:"any name"` if the name is
// no identifier; a colon of the path itself is escaped.
func expressRoutes(paths []string, below string) []string {
	routes := make([]string, 0, 2*len(paths))
	for _, path := range paths {
		var route strings.Builder
		for _, segment := range segments(path) {
			name := strings.Trim(segment, "{}")
			switch {
			case !isVariable(segment):
				route.WriteString("/" + strings.ReplaceAll(segment, ":", `\:`))
			case isIdentifier(name):
				route.WriteString("/:" + name)
			default:
				route.WriteString(`/:"` + name + `"`)
			}
		}
		itself := cmp.Or(route.String(), "/")
		routes = append(routes, itself, route.String()+"/*"+below)
	}
	return routes
}

// isIdentifier reports whether the name of a variable needs no quotes in Express.
func isIdentifier(name string) bool {
	return !strings.ContainsAny(name, ".-") && (name[0] < '0' || name[0] > '9')
}

// belowName returns the name of the Express variable for the part of a request below a
// path. No path variable has it.
func belowName(paths []string) string {
	name := "below"
	for slices.ContainsFunc(paths, func(path string) bool {
		return slices.Contains(segments(path), "{"+name+"}")
	}) {
		name += "_"
	}
	return name
}
