package template

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// removal is what a step takes away: resources of the root, and of nested stacks by their
// logical ids.
type removal struct {
	root   map[string]bool
	inside map[string]map[string]bool
	// gone are the routes among them, of all stacks; moves says that some of them move to others.
	gone  map[string]bool
	moves bool
}

func newRemoval() *removal {
	return &removal{
		root: make(map[string]bool), inside: make(map[string]map[string]bool), gone: make(map[string]bool),
	}
}

// take takes a resource away; stack is "" for the root.
func (r *removal) take(stack, id string) {
	if stack == "" {
		r.root[id] = true
		return
	}
	if r.inside[stack] == nil {
		r.inside[stack] = make(map[string]bool)
	}
	r.inside[stack][id] = true
}

// from returns what is left of what is deployed.
func (r *removal) from(old Deployed) Deployed {
	to := Deployed{Root: r.unpassed(without(old.Root, r.root)), Nested: make(map[string]*cfn.Node)}
	for id, n := range old.Nested {
		in := old.around(id)
		if !r.root[id] && !r.root[in] && !r.inside[in][id] {
			to.Nested[id] = r.unpassed(without(n, r.inside[id]))
		}
	}
	return to
}

// unpassed returns a template in which no stack is given the id of a route that is gone.
func (r *removal) unpassed(template *cfn.Node) *cfn.Node {
	for id := range r.gone {
		for _, section := range []string{"Parameters", "Outputs"} {
			if template.Get(section, id) != nil {
				template = replaced(template, nil, section, id)
				if len(template.Get(section).Members) == 0 {
					template = replaced(template, nil, section)
				}
			}
		}
	}
	for _, m := range members(template.Get("Resources")) {
		if typeOf(m.Value) != stackType {
			continue
		}
		for _, given := range members(m.Value.Get("Properties", "Parameters")) {
			if r.gone[given.Name] {
				template = replaced(template, nil, "Resources", m.Name, "Properties", "Parameters", given.Name)
			}
		}
	}
	return template
}

// without returns a template without some resources.
func without(template *cfn.Node, gone map[string]bool) *cfn.Node {
	if len(gone) == 0 {
		return template
	}
	resources := template.Get("Resources")
	next := *resources
	next.Members = nil
	for _, m := range resources.Members {
		if gone[m.Name] {
			continue
		}
		if on := m.Value.Get("DependsOn"); on != nil && on.Kind == cfn.List {
			left := slices.DeleteFunc(slices.Clone(on.Items), func(n *cfn.Node) bool { return gone[n.Text] })
			switch {
			case len(left) == 0:
				m.Value = replaced(m.Value, nil, "DependsOn")
			case len(left) < len(on.Items):
				m.Value = replaced(m.Value, cfn.ListNode(left...), "DependsOn")
			}
		}
		next.Members = append(next.Members, m)
	}
	left := replaced(template, &next, "Resources")
	for id := range gone {
		if table := resources.Get(id); typeOf(table) == tableType {
			left = naming(left, id, table.Get("Properties", "TableName").Text)
		}
	}
	return left
}

// naming returns a node in which references to a table that is taken away are its name and its
// ARN, which do not depend on it.
func naming(n *cfn.Node, id, name string) *cfn.Node {
	arn := "arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/" + name
	if len(n.Members) == 1 {
		switch m := n.Members[0]; {
		case m.Name == "Ref" && m.Value.Text == id:
			return cfn.TextNode(name)
		case m.Name == "Fn::GetAtt" && len(m.Value.Items) == 2 && m.Value.Items[0].Text == id:
			return cfn.Sub(arn)
		case m.Name == "Fn::Sub" && strings.Contains(m.Value.Text, "${"+id+".Arn}"):
			return cfn.Sub(strings.ReplaceAll(m.Value.Text, "${"+id+".Arn}", arn))
		}
	}
	next := *n
	next.Items, next.Members = slices.Clone(n.Items), slices.Clone(n.Members)
	for i, item := range next.Items {
		next.Items[i] = naming(item, id, name)
	}
	for i, m := range next.Members {
		// Metadata are only kept, and nothing in them is a reference.
		if m.Name != "Metadata" {
			next.Members[i].Value = naming(m.Value, id, name)
		}
	}
	return &next
}
