package adopt

import (
	"gatewright/internal/openapi"
	"gatewright/model/access"
)

// operation is an operation of the document with its place in the API.
type operation struct {
	*openapi.Operation
	need    need
	actions access.Actions
	// number is its position in the document.
	number int
}

// node is a place in the tree of paths.
type node struct {
	segment  access.Segment
	parent   *node
	children []*node
	static   map[string]*node
	variable *node
	// operations are those that a path here must serve: they end here, or what follows cannot
	// be a path of an API.
	operations []*operation
	// main says that an operation ends here, proxy that one goes on with {proxy+}.
	main, proxy bool
	// explicit is the path that the document names for this place; nil for none.
	explicit *explicit
	// function is what the document says that answers requests here; "" if it does not say.
	function string
	// whole sums up the operations here and below, see summary.
	whole *summary
}

// child returns the node of a segment below n, which is made if it is missing. All variables at a place are
// one node, whose name is that of the first, with a digit more if the path has the name already.
func (n *node) child(s access.Segment) *node {
	if s.Variable && n.variable != nil {
		return n.variable
	}
	if next := n.static[s.Text]; !s.Variable && next != nil {
		return next
	}
	for s.Variable && n.isBelow(s) {
		s.Text += "2"
	}
	next := &node{segment: s, parent: n}
	n.children = append(n.children, next)
	if s.Variable {
		n.variable = next
		return next
	}
	if n.static == nil {
		n.static = make(map[string]*node)
	}
	n.static[s.Text] = next
	return next
}

// isBelow reports whether a node has a segment, or one above it has.
func (n *node) isBelow(s access.Segment) bool {
	for ; n != nil; n = n.parent {
		if n.segment == s {
			return true
		}
	}
	return false
}

// at returns the node of a path, which is made if it is missing.
func (n *node) at(segments []access.Segment) *node {
	for _, s := range segments {
		n = n.child(s)
	}
	return n
}

// own reports whether a path is needed here.
func (n *node) own() bool { return len(n.operations) > 0 || n.explicit != nil }

// name returns the path of a node.
func (n *node) name() string {
	if n.parent == nil {
		return "/"
	}
	var segments []access.Segment
	for at := n; at.parent != nil; at = at.parent {
		segments = append([]access.Segment{at.segment}, segments...)
	}
	return pathOf(segments)
}

// tally sums up the operations of a node alone.
func (n *node) tally() tally {
	var t tally
	for _, o := range n.operations {
		t.add(o)
	}
	return t
}

// summary sums up a node and everything below it.
type summary struct {
	tally
	// uniform says that one path with one access and one function may stand for all.
	uniform bool
	setting access.Setting
	// places is how many nodes have operations; varied says that they do not need the same
	// actions.
	places   int
	varied   bool
	function string
	// bound says that something here is a path of its own, whatever is around it.
	bound bool
}

// sum returns the summary of a node, and makes it once.
func (n *node) sum() *summary {
	if n.whole != nil {
		return n.whole
	}
	s := &summary{uniform: true}
	if len(n.operations) > 0 {
		t := n.tally()
		s.tally, s.setting, s.places, s.function, s.bound = t, t.setting(), 1, n.function, n.proxy
	}
	if n.explicit != nil {
		s.uniform, s.bound = false, true
	}
	for _, c := range n.children {
		below := c.sum()
		if below.places == 0 && !below.bound {
			continue
		}
		s.bound = s.bound || below.bound
		if s.places > 0 {
			s.uniform = s.uniform && s.setting == below.setting && s.function == below.function
			s.varied = s.varied || s.actions() != below.actions()
		}
		s.uniform, s.varied = s.uniform && below.uniform && !below.bound, s.varied || below.varied
		if s.places == 0 {
			s.setting, s.function = below.setting, below.function
		}
		s.public, s.secured, s.places = s.public|below.public, s.secured|below.secured, s.places+below.places
	}
	s.uniform = s.uniform && (s.places < 2 || s.mixed() == 0)
	n.whole = s
	return s
}

// start returns the node at which the document's paths begin to differ.
func (n *node) start() *node {
	for len(n.children) == 1 && !n.children[0].own() && (n.parent == nil || !n.own()) {
		n = n.children[0]
	}
	return n
}

// tight returns the first node at or below n that has operations or several nodes below.
func (n *node) tight() *node {
	for !n.own() && len(n.children) == 1 {
		n = n.children[0]
	}
	return n
}

// walk calls do for a node and those below it, from the top.
func (n *node) walk(do func(*node)) {
	do(n)
	for _, c := range n.children {
		c.walk(do)
	}
}
