package livemap

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
	"gatewright/model/access"
	"gatewright/model/graph"
	"gatewright/sandbox/traffic"
)

// row is a line of the map. From the left: what may come in, the path or the cause, the function that
// is called, and one thing that it uses. Each part may be missing: a function with more uses than
// paths has rows for these alone. Its texts are safe for the screen.
type row struct {
	// api and group are the API, and the prefix under which its paths fold together.
	api, group string
	// paths are the path, or those that are folded together; the heading of an API has none.
	paths   []graph.PathAccess
	heading bool
	// left is the text of the path or the cause, and node what is meant: it has no name where
	// paths are folded.
	left string
	node graph.Node
	// function is the function; named says that its name stands here: before that, a row of it is
	// above. joins says that the row below is of the same function, too.
	function     string
	named, joins bool
	// again says that the function stands further up, with what it uses.
	again bool
	// use is what the function uses in this row, ends that no further row has another use of it.
	use  *graph.Use
	ends bool
	// note stands instead of what is used, if that is not known.
	note string
}

// folds says what of a map is folded: whole APIs, and prefixes of their paths.
type folds struct{ apis, groups map[string]bool }

func newFolds() folds { return folds{make(map[string]bool), make(map[string]bool)} }

// key identifies the group of a path.
func groupKey(api, group string) string { return api + "\x00" + group }

// groupOf is the prefix under which a path folds: its first segment.
func groupOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return "/" + first
}

// rowsOf makes the rows of a graph, with what functions used besides that.
func rowsOf(g *graph.Graph, f folds, used map[useKey][]traffic.UseCounts) []*row {
	m := &maker{graph: g, folds: f, used: used, seen: make(map[string]bool)}
	for _, api := range g.APIs {
		m.api(api)
	}
	m.causes()
	m.rest()
	return m.rows
}

// maker makes rows.
type maker struct {
	graph *graph.Graph
	folds folds
	used  map[useKey][]traffic.UseCounts
	rows  []*row
	// seen are the functions that stand somewhere with what they use.
	seen map[string]bool
}

// api adds the rows of an API; a map of one API needs no heading.
func (m *maker) api(api graph.API) {
	if len(m.graph.APIs) > 1 {
		head := &row{
			api: api.Label, heading: true, paths: api.Paths, left: prose.PrintableStart(api.Label),
			node: graph.Node{Kind: graph.Path, API: api.Label},
		}
		if m.folds.apis[api.Label] {
			head.left += "  " + phrase.Count(len(api.Paths), "path")
		}
		m.rows = append(m.rows, head)
		if m.folds.apis[api.Label] {
			return
		}
	}
	var run []*row
	above := ""
	for paths := api.Paths; len(paths) > 0; {
		p, n := paths[0], 1
		group := groupOf(p.Name)
		for m.folds.groups[groupKey(api.Label, group)] && n < len(paths) && groupOf(paths[n].Name) == group {
			n++
		}
		r := &row{
			api: api.Label, group: group, paths: paths[:n], function: p.Function,
			node: graph.Node{Kind: graph.Path, API: api.Label, Name: p.Name},
		}
		paths = paths[n:]
		if n > 1 {
			r.fold()
		} else {
			r.left = below(p.Name, &above)
		}
		if len(run) > 0 && (run[0].function != r.function || r.function == "") {
			m.function(run)
			run = nil
		}
		run = append(run, r)
	}
	m.function(run)
}

// fold names a row of several paths, and its function if that is one.
func (r *row) fold() {
	r.node.Name = ""
	functions := make(map[string]bool)
	for _, p := range r.paths {
		functions[p.Function] = true
	}
	r.left = prose.PrintableStart(r.group) + "  " + phrase.Count(len(r.paths), "path")
	if len(functions) > 1 {
		r.function, r.note = "", phrase.Count(len(functions), "function")
	}
}

// nested begins the text of a path that lies below the one above it.
const nested = "└ "

// below is a path under the last one that it lies below, or as it is.
func below(path string, above *string) string {
	if rest, is := strings.CutPrefix(path, *above); is && *above != "" && *above != "/" && strings.HasPrefix(rest, "/") {
		return nested + prose.PrintableStart(rest)
	}
	*above = path
	return prose.PrintableStart(path)
}

// function adds the rows of one function with what it uses.
func (m *maker) function(run []*row) {
	if len(run) == 0 {
		return
	}
	name := run[0].function
	if name == "" {
		m.rows = append(m.rows, run...)
		return
	}
	run[0].named, run[0].again = true, m.seen[name]
	if !m.seen[name] {
		m.seen[name] = true
		uses := slices.Concat(m.graph.UsesOf(name), unforeseen(m.graph, m.used, name))
		for i := range uses {
			if i == len(run) {
				last := run[i-1]
				run = append(run, &row{api: last.api, group: last.group, function: name})
			}
			run[i].use, run[i].ends = &uses[i], i == len(uses)-1
		}
		switch {
		case m.graph.Missing[name]:
			run[0].note = "no such function"
		case m.graph.Elsewhere[name]:
			run[0].note = "? its rights are in its template"
		}
	}
	for i, r := range run {
		r.joins = i < len(run)-1
	}
	m.rows = append(m.rows, run...)
}

// unforeseen is what a function used that the graph does not have: its rights are elsewhere, it was refused,
// or a policy allows what no access names, such as a parameter.
func unforeseen(g *graph.Graph, used map[useKey][]traffic.UseCounts, function string) (all []graph.Use) {
	for k := range used {
		known := func(u graph.Use) bool { return u.Resource == k.resource }
		if k.function == function && !slices.ContainsFunc(g.UsesOf(function), known) {
			all = append(all, graph.Use{Function: function, Resource: k.resource})
		}
	}
	slices.SortFunc(all, func(a, b graph.Use) int { return strings.Compare(a.Resource, b.Resource) })
	return all
}

// causes adds the functions that are called without a request, each with all that calls it.
func (m *maker) causes() {
	var all []*row
	for _, c := range m.graph.Called {
		all = append(all, &row{node: c.Cause, left: prose.PrintableStart(c.Cause.Name), function: c.Function})
	}
	for _, u := range m.graph.Uses {
		if name, is := strings.CutPrefix(u.Resource, "function/"); is {
			all = append(all, &row{
				node: graph.Node{Kind: graph.Function, Name: u.Function}, function: name,
				left: "called by " + prose.PrintableStart(u.Function),
			})
		}
	}
	for len(all) > 0 {
		name := all[0].function
		of := func(r *row) bool { return r.function == name }
		m.function(slices.DeleteFunc(slices.Clone(all), func(r *row) bool { return !of(r) }))
		all = slices.DeleteFunc(all, of)
	}
}

// rest adds the functions that nothing calls, and the tables that no function uses. What functions do whose
// rights are elsewhere is not known.
func (m *maker) rest() {
	uncalled, unused := "called by nothing here", "used by no function"
	if len(m.graph.Elsewhere) > 0 {
		uncalled, unused = "? calls not known", "? use not known"
	}
	for _, name := range m.graph.Unreached() {
		if !m.seen[name] {
			m.function([]*row{{left: uncalled, function: name}})
		}
	}
	seen := func(resource string) bool {
		return slices.ContainsFunc(m.rows, func(r *row) bool { return r.use != nil && r.use.Resource == resource })
	}
	for _, resource := range m.graph.Resources {
		if !slices.ContainsFunc(m.graph.Uses, func(u graph.Use) bool { return u.Resource == resource }) && !seen(resource) {
			m.rows = append(m.rows, &row{left: unused, use: &graph.Use{Resource: resource}, ends: true})
		}
	}
}

// nodeAt is the node in a column of a row; false for none.
func (r *row) nodeAt(g *graph.Graph, col column) (graph.Node, bool) {
	switch {
	case col.kind == graph.Caller && len(r.paths) > 0:
		return g.CallerNode(col.caller), true
	case col.kind == graph.Path:
		return r.node, r.node != graph.Node{}
	case col.kind == graph.Function:
		return graph.Node{Kind: graph.Function, Name: r.function}, r.named
	case col.kind == graph.Resource && r.use != nil:
		return graph.NodeOf(r.use.Resource), true
	}
	return graph.Node{}, false
}

// pathIn reports whether any path of a row is among nodes.
func (r *row) pathIn(nodes graph.Lit) bool {
	return slices.ContainsFunc(r.paths, func(p graph.PathAccess) bool {
		return nodes[graph.Node{Kind: graph.Path, API: r.api, Name: p.Name}]
	})
}

// allowed are what a caller may do under all paths of a row, and what under some of them.
func (r *row) allowed(caller int) (all, some access.Actions) {
	all = access.EveryAction
	for _, p := range r.paths {
		all &= p.Allowed[caller]
		some |= p.Allowed[caller]
	}
	return all, some
}

// id identifies a row in another state of the map.
func (r *row) id() string {
	resource := ""
	if r.use != nil {
		resource = r.use.Resource
	}
	return cmp.Or(r.node.Name, r.group) + "\x00" + r.api + "\x00" + r.function + "\x00" + resource
}
