package template

import (
	"fmt"
	"strings"

	"gatewright/model"
)

// part is a resource of an API, a node in their tree. What it serves is found as
// model.Router finds it.
type part struct {
	// text is its last segment, such as {isbn}; full is its whole path.
	text, full string
	// main is the path whose function serves requests for the resource itself, below the one
	// that serves what no other resource below it does. They are nil if there is none.
	main, below *model.Path
	children    []*part
	static      map[string]*part
	variable    *part
	named       *model.Path
}

// treeOf makes the tree of an API's resources. The problem is about a path that cannot be a
// resource.
//
// A {proxy+} cannot stand beside a variable
// (https://github.com/serverless-nextjs/serverless-next.js/issues/938).
// If the variable is a path, it serves what the {proxy+} would. If it is only a part of
// others, it and what is below it stand in for the {proxy+}.
func treeOf(api *model.API) (*part, *model.Problem) {
	root := &part{full: "/"}
	for _, p := range api.Paths {
		if p.Name == model.ProxyPath {
			if root.below == nil {
				root.below = p
			}
			continue
		}
		if problem := root.insert(api, p); problem != nil {
			return nil, problem
		}
	}
	if root.main != nil {
		root.below = root.main
	}
	root.complete()
	return root, nil
}

func (n *part) insert(api *model.API, p *model.Path) *model.Problem {
	of := model.Ref{Kind: model.KindPath, API: api.Label, Name: p.Name}
	segments, err := model.ParsePath(p.Name)
	if err != nil {
		problem := *err.(*model.Problem)
		problem.Of, problem.Field = of, ""
		return &problem
	}
	for _, s := range segments {
		if s.Variable && n.variable != nil && n.variable.text != "{"+s.Text+"}" {
			return &model.Problem{
				Of: of, Text: fmt.Sprintf("the variable {%s} is called %s in %s", s.Text, n.variable.text, model.Quote(n.variable.named.Name)),
				Fix: "give it one name",
			}
		}
		n = n.child(s, p)
	}
	if n.main != nil {
		return &model.Problem{Of: of, Text: "is there twice", Fix: "remove one"}
	}
	n.main, n.below = p, p
	return nil
}

func (n *part) child(s model.Segment, p *model.Path) *part {
	text := s.Text
	if s.Variable {
		text = "{" + s.Text + "}"
	}
	next := n.static[text]
	if next != nil {
		return next
	}
	next = &part{text: text, full: strings.TrimSuffix(n.full, "/") + "/" + text, named: p}
	if n.static == nil {
		n.static = make(map[string]*part)
	}
	n.static[text] = next
	n.children = append(n.children, next)
	if s.Variable {
		n.variable = next
	}
	return next
}

// path is the path that the part serves, else the first one that it is a part of.
func (n *part) path() *model.Path {
	if n.main != nil {
		return n.main
	}
	return n.named
}

// complete lets variables stand in for the {proxy+} of what is above them.
func (n *part) complete() {
	if v := n.variable; v != nil {
		if v.main == nil && n.below != nil {
			v.main, v.below = n.below, n.below
		}
		n.below = nil
	}
	for _, c := range n.children {
		c.complete()
	}
}

// size counts the resources and the methods of the tree; the root resource is part of the
// API. Each resource that serves requests has the methods ANY and OPTIONS.
func (n *part) size() (resources, methods int) {
	const each = 2
	if n.text != "" {
		resources++
	}
	if n.main != nil {
		methods += each
	}
	if n.below != nil {
		resources, methods = resources+1, methods+each
	}
	for _, c := range n.children {
		r, m := c.size()
		resources, methods = resources+r, methods+m
	}
	return resources, methods
}
