package access

import (
	"errors"
	"fmt"
	"strings"

	"gatewright/internal/text/phrase"
)

// Resource is a resource of an API as API Gateway has them, a node in their tree. What it
// serves is found as Router finds it.
type Resource struct {
	// Text is its last segment, such as {isbn}, and "" for the root; Full is its whole path.
	Text, Full string
	// Main is the path whose function serves requests for the resource itself, Below the one
	// that serves what no other resource below it does. They are nil if there is none.
	Main, Below *Path
	Children    []*Resource
	static      map[string]*Resource
	variable    *Resource
	named       *Path
}

// Resources makes the tree of the API's resources and returns its root. The error is about a
// path that cannot be a resource.
//
// A {proxy+} cannot stand next to a variable (https://github.com/serverless-nextjs/serverless-next.js/issues/938). If
// the variable is a path, it serves what the {proxy+} would. If it is only a part of others, it and what is below it
// stand in for the {proxy+}.
func (a *API) Resources() (*Resource, *PathError) {
	root := &Resource{Full: "/"}
	for _, p := range a.Paths {
		if p.Name == ProxyPath {
			if root.Below == nil {
				root.Below = p
			}
			continue
		}
		if err := root.insert(p); err != nil {
			return nil, err
		}
	}
	if root.Main != nil {
		root.Below = root.Main
	}
	root.complete()
	return root, nil
}

func (n *Resource) insert(p *Path) *PathError {
	segments, err := ParsePath(p.Name)
	if bad := (*PathError)(nil); errors.As(err, &bad) {
		return &PathError{Of: p, Text: bad.Text, Fix: bad.Fix}
	}
	for _, s := range segments {
		if s.Variable && n.variable != nil && n.variable.Text != "{"+s.Text+"}" {
			return &PathError{
				Of: p, Text: fmt.Sprintf("the variable {%s} is called %s in %s", s.Text, n.variable.Text,
					phrase.Quote(n.variable.named.Name)),
				Fix: "give it one name",
			}
		}
		n = n.child(s, p)
	}
	if n.Main != nil {
		return &PathError{Of: p, Text: "is defined twice", Fix: "remove one"}
	}
	n.Main, n.Below = p, p
	return nil
}

func (n *Resource) child(s Segment, p *Path) *Resource {
	text := s.Text
	if s.Variable {
		text = "{" + s.Text + "}"
	}
	next := n.static[text]
	if next != nil {
		return next
	}
	next = &Resource{Text: text, Full: strings.TrimSuffix(n.Full, "/") + "/" + text, named: p}
	if n.static == nil {
		n.static = make(map[string]*Resource)
	}
	n.static[text] = next
	n.Children = append(n.Children, next)
	if s.Variable {
		n.variable = next
	}
	return next
}

// Path is the path that the resource serves, else the first one that it is a part of.
func (n *Resource) Path() *Path {
	if n.Main != nil {
		return n.Main
	}
	return n.named
}

// complete lets variables stand in for the {proxy+} of what is above them.
func (n *Resource) complete() {
	if v := n.variable; v != nil {
		if v.Main == nil && n.Below != nil {
			v.Main, v.Below = n.Below, n.Below
		}
		n.Below = nil
	}
	for _, c := range n.Children {
		c.complete()
	}
}

// Size counts the resources and the methods of the tree; the root resource is part of the
// API. Each resource that serves requests has the methods ANY and OPTIONS.
func (n *Resource) Size() (resources, methods int) {
	const each = 2
	if n.Text != "" {
		resources++
	}
	if n.Main != nil {
		methods += each
	}
	if n.Below != nil {
		resources, methods = resources+1, methods+each
	}
	for _, c := range n.Children {
		r, m := c.Size()
		resources, methods = resources+r, methods+m
	}
	return resources, methods
}
