package graph

import (
	"slices"
	"strings"
)

// Lit is what a node reaches, and what reaches it, with itself.
type Lit map[Node]bool

// edges are the nodes before and after each node.
type edges struct{ before, after map[Node][]Node }

func (e *edges) add(from, to Node) {
	e.after[from] = append(e.after[from], to)
	e.before[to] = append(e.before[to], from)
}

// NodeOf is the node of a resource: a function that another one calls is a function.
func NodeOf(resource string) Node {
	if name, is := strings.CutPrefix(resource, "function/"); is {
		return Node{Kind: Function, Name: name}
	}
	return Node{Kind: Resource, Name: resource}
}

// connect finds the edges. A caller has one to each path where it may do something.
func (g *Graph) connect() *edges {
	e := &edges{make(map[Node][]Node), make(map[Node][]Node)}
	for _, api := range g.APIs {
		for _, p := range api.Paths {
			path := Node{Path, api.Label, p.Name}
			for i, allowed := range p.Allowed {
				if allowed != 0 {
					e.add(g.CallerNode(i), path)
				}
			}
			if p.Function != "" {
				e.add(path, Node{Kind: Function, Name: p.Function})
			}
		}
	}
	for _, c := range g.Called {
		e.add(c.Cause, Node{Kind: Function, Name: c.Function})
	}
	for _, u := range g.Uses {
		e.add(Node{Kind: Function, Name: u.Function}, NodeOf(u.Resource))
	}
	return e
}

// CallerNode is the node of a caller by its index. A group may be called as guests are.
func (g *Graph) CallerNode(i int) Node {
	name := NameOf(g.Callers[i])
	if i >= 2 {
		name = "group/" + name
	}
	return Node{Kind: Caller, Name: name}
}

// Reach is what lights up with a node. What only the changes of a table call is not among what writes
// to that table: the function that is called has an answer of its own to give.
func (g *Graph) Reach(from Node) Lit {
	e, lit := g.edges, Lit{from: true}
	if name, is := strings.CutPrefix(from.Name, "table/"); is && from.Kind == Resource {
		for _, c := range g.Called {
			if c.Table == name {
				lit[c.Cause], lit[Node{Kind: Function, Name: c.Function}] = true, true
			}
		}
	}
	walk := func(next map[Node][]Node) {
		seen := map[Node]bool{from: true}
		for open := []Node{from}; len(open) > 0; {
			n := open[0]
			open = open[1:]
			for _, to := range next[n] {
				if !seen[to] {
					seen[to], lit[to] = true, true
					open = append(open, to)
				}
			}
		}
	}
	walk(e.after)
	walk(e.before)
	return lit
}

// UsesOf are what a function uses, in the order of the graph.
func (g *Graph) UsesOf(function string) []Use {
	return slices.DeleteFunc(slices.Clone(g.Uses), func(u Use) bool { return u.Function != function })
}

// Unreached are the functions that no path has, in their order.
func (g *Graph) Unreached() []string {
	return slices.DeleteFunc(slices.Clone(g.Functions), func(name string) bool {
		return slices.ContainsFunc(g.Before(Node{Kind: Function, Name: name}), func(n Node) bool { return n.Kind == Path })
	})
}

// Before are the nodes from which an edge leads to a node: of a function its paths, its causes, the functions
// that may call it.
func (g *Graph) Before(n Node) []Node { return g.edges.before[n] }

// After are the nodes to which an edge leads from a node.
func (g *Graph) After(n Node) []Node { return g.edges.after[n] }
