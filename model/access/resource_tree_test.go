package access_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	diffs "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/accesstest"
)

// treeLines has a line for each resource: its path, the paths that it and what is below it are
// served by, and the path that it is a part of.
func treeLines(r *access.Resource) []string {
	name := func(p *access.Path) string {
		if p == nil {
			return "-"
		}
		return p.Name
	}
	lines := []string{fmt.Sprintf("%s (%s): %s, below %s, of %s", r.Full, r.Text, name(r.Main), name(r.Below), name(r.Path()))}
	for _, child := range r.Children {
		lines = append(lines, treeLines(child)...)
	}
	return lines
}

func pathsOf(names ...string) *access.API {
	api := accesstest.Shop()
	for _, name := range names {
		api.Paths = append(api.Paths, accesstest.Open(name, "f"))
	}
	return api
}

func TestTheResourcesOfAnAPIAreATree(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		paths              []string
		lines              []string
		resources, methods int
	}{
		"no path": {nil, []string{"/ (): -, below -, of -"}, 0, 0},
		"a path below none": {
			[]string{"/a/b", "/c"},
			[]string{"/ (): -, below -, of -", "/a (a): -, below -, of /a/b", "/a/b (b): /a/b, below /a/b, of /a/b", "/c (c): /c, below /c, of /c"},
			5, 8,
		},
		"the root": {[]string{"/"}, []string{"/ (): /, below /, of /"}, 1, 4},
		"the first reserved path": {
			[]string{access.ProxyPath, "/a", access.ProxyPath},
			[]string{"/ (): -, below /{proxy+}, of -", "/a (a): /a, below /a, of /a"},
			3, 6,
		},
		"the root before the reserved path": {[]string{access.ProxyPath, "/"}, []string{"/ (): /, below /, of /"}, 1, 4},
		"a variable that is a path serves what the proxy would": {
			[]string{"/a", "/a/{id}"},
			[]string{"/ (): -, below -, of -", "/a (a): /a, below -, of /a", "/a/{id} ({id}): /a/{id}, below /a/{id}, of /a/{id}"},
			3, 6,
		},
		"a variable that is a part of others stands in for the proxy": {
			[]string{"/a", "/a/{id}/x", "/a/{id}/y"},
			[]string{
				"/ (): -, below -, of -", "/a (a): /a, below -, of /a", "/a/{id} ({id}): /a, below /a, of /a",
				"/a/{id}/x (x): /a/{id}/x, below /a/{id}/x, of /a/{id}/x", "/a/{id}/y (y): /a/{id}/y, below /a/{id}/y, of /a/{id}/y",
			},
			7, 14,
		},
		"two variables below each other": {
			[]string{"/a", "/a/{id}/{n}/x"},
			[]string{
				"/ (): -, below -, of -", "/a (a): /a, below -, of /a", "/a/{id} ({id}): /a, below -, of /a", "/a/{id}/{n} ({n}): /a, below /a, of /a",
				"/a/{id}/{n}/x (x): /a/{id}/{n}/x, below /a/{id}/{n}/x, of /a/{id}/{n}/x",
			},
			6, 12,
		},
		"a static text like a variable's": {
			[]string{"/{id}", "/id"}, []string{"/ (): -, below -, of -", "/{id} ({id}): /{id}, below /{id}, of /{id}", "/id (id): /id, below /id, of /id"}, 4, 8,
		},
	} {
		root, problem := model.ResourcesOf(pathsOf(tt.paths...))
		if problem != nil {
			t.Errorf("%s: %v", name, problem)
			continue
		}
		if diff := diffs.Diff(tt.lines, treeLines(root)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if resources, methods := root.Size(); resources != tt.resources || methods != tt.methods {
			t.Errorf("%s: %d resources and %d methods, want %d and %d", name, resources, methods, tt.resources, tt.methods)
		}
	}
}

func TestPathsThatCannotBeResourcesAreRefused(t *testing.T) {
	t.Parallel()
	for want, paths := range map[string][]string{
		"path /a of the API shop: is defined twice; remove one":                                                              {"/a", "/b", "/a"},
		"path / of the API shop: is defined twice; remove one":                                                               {"/", "/"},
		"path /a/{n}/x of the API shop: the variable {n} is called {id} in /a/{id}; give it one name":                        {"/a/{id}", "/a/{id}/y", "/a/{n}/x"},
		"path /a//b of the API shop: /a//b has an empty segment; remove one /":                                               {"/a", "/a//b"},
		"path /{proxy+}/x of the API shop: /{proxy+}/x names the proxy resource; remove {proxy+}: every path already has it": {"/{proxy+}/x"},
	} {
		if root, problem := model.ResourcesOf(pathsOf(paths...)); problem == nil || root != nil || !strings.HasPrefix(problem.Error(), want) {
			t.Errorf("%q: %v, want %s", paths, problem, want)
		}
	}
}

// walked is the path that serves segments in a tree of resources, as API Gateway looks for it:
// static text before a variable before the proxy, with backtracking.
func walked(r *access.Resource, segments []string) *access.Path {
	if len(segments) == 0 {
		return r.Main
	}
	for _, variable := range []bool{false, true} {
		for _, child := range r.Children {
			if strings.HasPrefix(child.Text, "{") == variable && (variable || child.Text == segments[0]) {
				if found := walked(child, segments[1:]); found != nil {
					return found
				}
			}
		}
	}
	return r.Below
}

func TestTheTreeOfResourcesServesWhatTheRouterSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "b", "{x}"})
		api := accesstest.Shop()
		for _, segments := range rapid.SliceOfNDistinct(rapid.SliceOfN(segment, 0, 4), 1, 7, func(s []string) string { return strings.Join(s, "/") }).Draw(t, "paths") {
			name := ""
			for depth, text := range segments {
				if text == "{x}" {
					text = fmt.Sprintf("{x%d}", depth)
				}
				name += "/" + text
			}
			api.Paths = append(api.Paths, accesstest.Open(cmp.Or(name, "/"), "f"))
		}
		root, problem := model.ResourcesOf(api)
		if problem != nil {
			t.Fatal(problem)
		}
		router := access.NewRouter(api, nil, access.Terms{})
		for range 20 {
			segments := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "z"}), 0, 6).Draw(t, "request")
			raw := "/" + strings.Join(segments, "/")
			route, _ := router.Match("GET", raw)
			if got := walked(root, segments); got != route.Path {
				t.Fatalf("%s is served by %+v, and the tree says %+v:\n%s", raw, route.Path, got, strings.Join(treeLines(root), "\n"))
			}
		}
	})
}
