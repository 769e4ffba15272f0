package adopt

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/model/access"
)

// Grouping says how many paths the API gets.
type Grouping string

// FirstSegment makes one path, with one function, of all paths of the document that have the
// same first segment after what all paths begin with, as far as they have the same security.
// None makes a path with a function of its own for each path of the document.
const (
	FirstSegment Grouping = "first-segment"
	None         Grouping = "none"
)

// Groupings lists every Grouping.
var Groupings = []Grouping{FirstSegment, None}

// Options say how an API is made of a document.
type Options struct {
	// Label is the label of the API.
	Label string
	// Grouping is FirstSegment if it is empty.
	Grouping Grouping
	// Function serves all paths; "" for the functions that the document names, else those
	// that Have names, else new ones with names that are made from the paths.
	Function string
	// Have returns the function that serves a path now; "" for none. It may be nil.
	Have func(path string) string
	// Taken reports whether a new function cannot have a name. It may be nil.
	Taken func(name string) bool
	// Terms are what the rules of the API mean.
	Terms access.Terms
}

// Path is a path of the API, and what it stands for.
type Path struct {
	*access.Path
	// Items counts the paths of the document that it serves, and Operations their operations.
	Items, Operations int
	// Proposed says that the name of the function is made from the path.
	Proposed bool
}

// Adopted is an API that was made of a document.
type Adopted struct {
	API *access.API
	// Paths are those of the API, in the same order.
	Paths  []Path
	Losses []Loss
}

// adoption is the state of Adopt.
type adoption struct {
	document *openapi.Document
	options  Options
	root     *node
	explicit map[string]*explicit
	losses   []Loss
	count    int
	// exacts are the paths without patterns, each once, and patterns the others.
	exacts   []*exact
	byExact  map[string]*exact
	patterns []pattern
	paths    []*made
}

// made is a path that is made of nodes.
type made struct {
	path *access.Path
	// top is the node of the path, and group that at the top of what has one function.
	top, group *node
	operations []*operation
	// stricter are operations whose requests the path gets, and that closed it.
	stricter []*operation
	// asked are the actions of all operations whose requests the path gets.
	asked    access.Actions
	proposed bool
}

// Adopt makes an API of a document. The error says in one line why there can be none.
func Adopt(d *openapi.Document, o Options) (*Adopted, error) {
	a := &adoption{
		document: d, options: o, root: &node{}, explicit: make(map[string]*explicit),
		byExact: make(map[string]*exact),
	}
	a.readExplicit()
	for _, item := range d.Items {
		a.place(item)
	}
	a.makePaths()
	if len(a.paths) == 0 {
		return nil, errors.New("has no path with an operation that an API can serve (GET, HEAD, POST, PUT, PATCH or DELETE)")
	}
	a.nameFunctions()
	a.close()
	a.loseWhole()
	return a.result(), nil
}

func (a *adoption) result() *Adopted {
	slices.SortStableFunc(a.paths, func(p, q *made) int { return cmp.Compare(p.first(), q.first()) })
	adopted := &Adopted{API: &access.API{
		Label: a.options.Label, BinaryMediaTypes: a.document.BinaryMediaTypes, CORS: a.cors(),
	}}
	for _, m := range a.paths {
		adopted.API.Paths = append(adopted.API.Paths, m.path)
		adopted.Paths = append(adopted.Paths,
			Path{Path: m.path, Items: countItems(m.operations), Operations: len(m.operations), Proposed: m.proposed})
	}
	sortLosses(a.losses)
	adopted.Losses = a.losses
	return adopted
}

// countItems counts the paths of the document that operations are of.
func countItems(operations []*operation) int {
	items := make(map[*openapi.Item]bool)
	for _, o := range operations {
		items[o.Item] = true
	}
	return len(items)
}

// first returns the position of the first operation of a path in the document.
func (m *made) first() int {
	if m.top.explicit != nil {
		return m.top.explicit.number
	}
	first := m.operations[0].number
	for _, o := range m.operations {
		first = min(first, o.number)
	}
	return first
}

// makePaths decides which nodes become paths.
func (a *adoption) makePaths() {
	a.root.walk(func(n *node) {
		if n.explicit != nil {
			a.paths = append(a.paths, &made{
				path: &access.Path{Name: n.explicit.name, Function: n.explicit.function, Access: n.explicit.access},
				top:  n, group: n, operations: n.explicit.operations,
			})
		}
	})
	if a.options.Grouping == None {
		a.root.walk(func(n *node) {
			if n.explicit == nil && len(n.operations) > 0 {
				a.add(n, n, n.operations)
			}
		})
		return
	}
	if len(a.root.operations) > 0 && a.root.explicit == nil {
		a.add(a.root, a.root, a.root.operations)
	}
	start := a.root.start()
	for _, c := range start.children {
		top := c.tight()
		a.split(top, top)
	}
}

// split makes one path of everything at and below a node if it may be one, else several.
// group is the node at the top of what has one function.
func (a *adoption) split(n, group *node) {
	s := n.sum()
	if s.uniform && s.places > 0 {
		var operations []*operation
		n.walk(func(n *node) { operations = append(operations, n.operations...) })
		a.add(n, group, operations)
		if s.places > 1 && s.varied {
			a.lose(Below, operations[0].Item.Place, "",
				"%s stands for %s of the document and everything below: anyone who may %s one of them may do so with all",
				phrase.Quote(n.name()), phrase.Count(countItems(operations), "path"),
				strings.ReplaceAll(s.actions().String(), ", ", " or "))
		}
		return
	}
	if n.explicit == nil && len(n.operations) > 0 {
		a.add(n, group, n.operations)
	}
	for _, c := range n.children {
		a.split(c.tight(), group)
	}
}

// add adds the path of a node.
func (a *adoption) add(n, group *node, operations []*operation) {
	var t tally
	for _, o := range operations {
		t.add(o)
	}
	var stricter []*operation
	for _, o := range operations {
		if !o.need.public && o.actions&t.public != 0 {
			stricter = append(stricter, o)
		}
	}
	name := n.name()
	if n.parent == nil && n.proxy && !n.main {
		name = access.ProxyPath
	}
	m := &made{path: &access.Path{Name: name, Access: t.access()}, top: n, operations: operations, stricter: stricter}
	a.paths = append(a.paths, m)
	m.group = group
	if m.path.Access.Setting == access.Protected {
		a.lose(Guests, operations[0].Item.Place, "",
			"%s has public operations next to others: guests may %s there, and their requests must be signed as a guest's",
			phrase.Quote(name), t.public.Without(t.secured).Phrase())
	}
}
