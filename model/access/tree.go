package access

// node is a node in the tree of an API's paths. Its path, if any, has a main resource here
// and a proxy resource below.
type node struct {
	static map[string]*node
	// texts are the keys of static in the order in which they were added.
	texts    []string
	variable *node
	// name is the variable's name in named, the first path with a variable here.
	name  string
	named *Path
	path  *Path
	// reserved is ProxyPath, which has no main resource.
	reserved *Path
	segments []Segment
}

// place finds or makes the node of a path, and reports the first clash on the way.
func (n *node) place(p *Path) (*node, *Conflict) {
	var found *Conflict
	segments := ReadSegments(p.Name)
	for _, s := range segments {
		if s.Variable && n.variable != nil && n.name != s.Text && found == nil {
			found = &Conflict{Kind: OtherVariable, Path: p, Other: n.named, Name: n.name, Given: s.Text}
		}
		n = n.child(s, p)
	}
	if n.segments == nil {
		n.segments = segments
	}
	return n, found
}

func (n *node) child(s Segment, p *Path) *node {
	if s.Variable {
		if n.variable == nil {
			n.variable, n.name, n.named = &node{}, s.Text, p
		}
		return n.variable
	}
	next := n.static[s.Text]
	if next == nil {
		if n.static == nil {
			n.static = make(map[string]*node)
		}
		next = &node{}
		n.static[s.Text] = next
		n.texts = append(n.texts, s.Text)
	}
	return next
}

// proxy returns the path whose proxy resource serves requests below the node.
func (n *node) proxy() *Path {
	if n.reserved != nil && n.path == nil {
		return n.reserved
	}
	return n.path
}
