package template

import (
	"bytes"
	"slices"

	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/model/check"
)

// dynamicReferences finds texts of the definition that the service would replace by values of
// other services, whatever part of the definition they come from. It looks at joined texts too,
// since it replaces after it has joined them.
func (r *renderer) dynamicReferences() {
	find := func(body []byte, root *cfn.Node, of map[string]model.Ref) {
		if !bytes.Contains(body, []byte("{{")) {
			return
		}
		for _, m := range root.Get("Resources").Members {
			if !r.values.hasDynamicReference(m.Value) {
				continue
			}
			p := &model.Problem{Of: of[m.Name], Text: check.HasDynamicReferenceText, Fix: "write it without {{resolve:"}
			same := func(other *model.Problem) bool { return other.Of == p.Of && other.Text == p.Text }
			if !slices.ContainsFunc(r.problems, same) {
				r.problems = append(r.problems, p)
			}
		}
	}
	find(r.template.Body, r.template.Root, r.template.Of)
	for _, n := range r.template.Nested {
		find(n.Body, n.Node, n.Of)
	}
}

// hasDynamicReference reports whether a text in a node has a dynamic reference.
func (c *concrete) hasDynamicReference(n *cfn.Node) bool {
	if n.Kind == cfn.String && check.HasDynamicReference(n.Text) {
		return true
	}
	if n.Get("Fn::Join") != nil && check.HasDynamicReference(c.text(n)) {
		return true
	}
	return slices.ContainsFunc(n.Items, c.hasDynamicReference) ||
		slices.ContainsFunc(n.Members, func(m cfn.Member) bool { return c.hasDynamicReference(m.Value) })
}
