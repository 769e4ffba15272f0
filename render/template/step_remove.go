package template

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// removal is what a step removes: resources by the logical id of their stack, "" for the root.
type removal map[string]map[string]bool

// take takes a resource away.
func (r removal) take(stack, id string) {
	if r[stack] == nil {
		r[stack] = make(map[string]bool)
	}
	r[stack][id] = true
}

// takes reports whether a resource of any stack is taken away.
func (r removal) takes(id string) bool {
	for _, gone := range r {
		if gone[id] {
			return true
		}
	}
	return false
}

// from returns what is left of what is deployed.
func (r removal) from(old Deployed) Deployed {
	to, at := Deployed{Root: r.left("", old.Root), Nested: make(map[string]*cfn.Node)}, old.whereIs()
	for _, id := range old.inOrder() {
		if to.in(at[id]).Get("Resources", id) != nil {
			to.Nested[id] = r.left(id, old.Nested[id])
		}
	}
	return to
}

// left is what is left of a template. No stack is given the id of a resource that is gone.
func (r removal) left(stack string, template *cfn.Node) *cfn.Node {
	left := without(template, r[stack])
	for _, section := range []string{"Parameters", "Outputs"} {
		for _, m := range members(left.Get(section)) {
			if r.takes(m.Name) {
				left = replaced(left, nil, section, m.Name)
			}
		}
		if list := left.Get(section); list != nil && len(list.Members) == 0 {
			left = replaced(left, nil, section)
		}
	}
	for _, m := range members(left.Get("Resources")) {
		if typeOf(m.Value) != stackType {
			continue
		}
		for _, given := range members(m.Value.Get("Properties", "Parameters")) {
			if r.takes(given.Name) {
				left = replaced(left, nil, "Resources", m.Name, "Properties", "Parameters", given.Name)
			}
		}
	}
	return left
}

// without returns a template without some resources.
func without(template *cfn.Node, gone map[string]bool) *cfn.Node {
	if len(gone) == 0 {
		return template
	}
	resources := template.Get("Resources")
	next := *resources
	next.Members = slices.DeleteFunc(slices.Clone(resources.Members), func(m cfn.Member) bool { return gone[m.Name] })
	left := waitingRight(replaced(template, &next, "Resources"))
	for id := range gone {
		if table := resources.Get(id); typeOf(table) == tableType {
			left = naming(left, id, table.Get("Properties", "TableName").Text)
		}
	}
	return left
}

// waitingRight returns a template whose resources wait only for what it has.
func waitingRight(template *cfn.Node) *cfn.Node {
	there := make(map[string]bool)
	for _, m := range members(template.Get("Resources")) {
		there[m.Name] = true
	}
	missing := func(n *cfn.Node) bool { return !there[n.Text] }
	for _, m := range members(template.Get("Resources")) {
		on := m.Value.Get("DependsOn")
		if on == nil || on.Kind != cfn.List || !slices.ContainsFunc(on.Items, missing) {
			continue
		}
		var left *cfn.Node
		if items := slices.DeleteFunc(slices.Clone(on.Items), missing); len(items) > 0 {
			left = cfn.ListNode(items...)
		}
		template = replaced(template, left, "Resources", m.Name, "DependsOn")
	}
	return template
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
