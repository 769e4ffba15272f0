package openapi

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// hasMethod reports whether a member of a path item is an operation in version 3.1
// (https://spec.openapis.org/oas/v3.1.0#path-item-object).
func hasMethod(m cfn.Member) bool { return openapi.IsMethod(m.Name) && m.Name != "query" }

// webhooks writes those of the contract, which version 3.0 has not; nil if there are none. The API
// sends no such requests itself: they are documented for its clients. Call it after the operations of
// paths, whose names come first.
func (w *writer) webhooks() *cfn.Node {
	theirs := w.contract.Root.Get("webhooks")
	if w.Version == "3.0" || theirs == nil || theirs.Kind != cfn.Map {
		return nil
	}
	all := cfn.MapNode()
	for _, m := range theirs.Members {
		// What a path of the contract has may not be in this document.
		if m.Value.Kind == cfn.Map && !refersTo(m.Value, "#/paths/") {
			all.With(m.Name, w.webhookItem(m.Value))
		}
	}
	if len(all.Members) == 0 {
		return nil
	}
	return all
}

// webhookItem copies a path item, without the methods that version 3.1 has not.
func (w *writer) webhookItem(from *cfn.Node) *cfn.Node {
	item := cfn.MapNode()
	for _, m := range from.Members {
		switch {
		case hasMethod(m) && m.Value.Kind == cfn.Map:
			item.With(m.Name, w.webhookOperation(m.Value))
		case slices.Contains([]string{"$ref", "summary", "description", "servers", "parameters"}, m.Name),
			strings.HasPrefix(m.Name, "x-"):
			item.With(m.Name, m.Value)
		}
	}
	return item
}

// webhookOperation copies an operation without its security, whose schemes are the contract's, and
// without a name that another operation has.
func (w *writer) webhookOperation(from *cfn.Node) *cfn.Node {
	o := cfn.MapNode()
	for _, m := range from.Members {
		switch {
		case m.Name == "security", strings.HasPrefix(m.Name, "x-amazon-apigateway-"):
		case m.Name == "operationId" && !w.ids.isFirst(m.Value.Text):
		default:
			w.keep(o, m)
		}
	}
	return o
}

// webhookNames are the names of the operations of the contract's webhooks.
func webhookNames(root *cfn.Node) []string {
	var names []string
	for _, item := range openapi.MembersOf(root.Get("webhooks")) {
		for _, m := range openapi.MembersOf(item.Value) {
			if id := m.Value.Get("operationId"); id != nil && hasMethod(m) {
				names = append(names, id.Text)
			}
		}
	}
	return names
}

// refersTo reports whether a node has a reference whose target begins like this.
func refersTo(n *cfn.Node, begin string) bool {
	if target := n.Get("$ref"); target != nil && strings.HasPrefix(target.Text, begin) {
		return true
	}
	return slices.ContainsFunc(n.Items, func(item *cfn.Node) bool { return refersTo(item, begin) }) ||
		slices.ContainsFunc(n.Members, func(m cfn.Member) bool { return refersTo(m.Value, begin) })
}
