package client

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// schemaGraph has which schemas refer to which others.
type schemaGraph struct {
	// differs has the schemas whose type is another in a body that is sent than in an answer.
	differs map[*cfn.Node]bool
	// direct has the schemas whose types a schema's type consists of: not those of members and
	// items. circles numbers schemas, those on a common circle alike.
	direct  map[*cfn.Node][]*cfn.Node
	circles map[*cfn.Node]int
}

func newSchemaGraph(d *openapi.Document) *schemaGraph {
	g := &schemaGraph{
		differs: make(map[*cfn.Node]bool), direct: make(map[*cfn.Node][]*cfn.Node),
		circles: make(map[*cfn.Node]int),
	}
	known := make(map[*cfn.Node]bool)
	var nodes []*cfn.Node
	meet := func(n *cfn.Node) {
		if !known[n] {
			known[n] = true
			nodes = append(nodes, n)
		}
	}
	if schemas := components(d); schemas != nil {
		for _, m := range schemas.Members {
			meet(m.Value)
		}
	}
	eachReference(d, d.Root, meet, nil)
	by := make(map[*cfn.Node][]*cfn.Node)
	var differing []*cfn.Node
	for i := 0; i < len(nodes); i++ {
		from, marked := nodes[i], false
		eachReference(d, from, func(to *cfn.Node) {
			meet(to)
			by[to] = append(by[to], from)
		}, &marked)
		if marked {
			differing = append(differing, from)
		}
		g.consist(d, from, from)
	}
	for len(differing) > 0 {
		n := differing[len(differing)-1]
		differing = differing[:len(differing)-1]
		if !g.differs[n] {
			g.differs[n] = true
			differing = append(differing, by[n]...)
		}
	}
	g.number(nodes)
	return g
}

// eachReference calls found with what each reference in a node names. marked, if not nil, becomes
// true if something in it is readOnly or writeOnly.
func eachReference(d *openapi.Document, n *cfn.Node, found func(*cfn.Node), marked *bool) {
	if to, err := target(d, n); err == nil && to != nil {
		found(to)
	}
	if marked != nil && (openapi.IsTrue(n.Get("readOnly")) || openapi.IsTrue(n.Get("writeOnly"))) {
		*marked = true
	}
	for _, item := range n.Items {
		eachReference(d, item, found, marked)
	}
	for _, m := range n.Members {
		eachReference(d, m.Value, found, marked)
	}
}

// consist notes the schemas that the type of a schema consists of, from a part of it on.
func (g *schemaGraph) consist(d *openapi.Document, of, part *cfn.Node) {
	if to, err := target(d, part); err == nil && to != nil {
		g.direct[of] = append(g.direct[of], to)
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for _, item := range openapi.ItemsOf(part.Get(key)) {
			g.consist(d, of, item)
		}
	}
}

// circle reports whether the type of a schema would consist of itself if it consisted of that of
// another: TypeScript refuses such a type.
func (g *schemaGraph) circle(from, to *cfn.Node) bool { return g.circles[from] == g.circles[to] }

// number finds the circles, by Tarjan's algorithm for strongly connected components
// (https://doi.org/10.1137/0201010).
func (g *schemaGraph) number(nodes []*cfn.Node) {
	met, low := make(map[*cfn.Node]int), make(map[*cfn.Node]int)
	var open []*cfn.Node
	var visit func(n *cfn.Node)
	visit = func(n *cfn.Node) {
		met[n] = len(met) + 1
		low[n] = met[n]
		open = append(open, n)
		for _, to := range g.direct[n] {
			switch {
			case met[to] == 0:
				visit(to)
				low[n] = min(low[n], low[to])
			case g.circles[to] == 0:
				low[n] = min(low[n], met[to])
			}
		}
		if low[n] != met[n] {
			return
		}
		for {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			g.circles[last] = met[n]
			if last == n {
				return
			}
		}
	}
	for _, n := range nodes {
		if met[n] == 0 {
			visit(n)
		}
	}
}

// target returns what the reference of a node names, which may be a reference too; nil if the node has none.
func target(d *openapi.Document, n *cfn.Node) (*cfn.Node, error) {
	to := openapi.TextOf(n.Get("$ref"))
	if to == "" {
		return nil, nil
	}
	return d.Find(to)
}
