package template

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// routes takes away the routes of APIs that the next template does not have. An API that moves
// into a nested stack or out of it loses all that belongs to it there: two stacks cannot have
// one stage. It returns the labels of such APIs.
func (r *removal) routes(old Deployed, next *Template) (interrupts []string) {
	for _, m := range members(old.Root.Get("Resources")) {
		if typeOf(m.Value) != restAPIType || next.Root.Get("Resources", m.Name) == nil {
			continue
		}
		was, is := nestedOf(old.Root, m.Name), nestedOf(next.Root, m.Name)
		switch {
		case was != is:
			for _, id := range belongings(old.Root, m.Name) {
				r.take("", id)
			}
			interrupts = append(interrupts, labelOf(next, m.Name))
		case is == "":
			for _, id := range routesOf(old.Root, m.Name) {
				if next.Root.Get("Resources", id) == nil {
					r.take("", id)
				}
			}
		case old.Nested[is] != nil:
			inside := next.nested(is).Get("Resources")
			for _, id := range routesOf(old.Nested[is], apiParameter) {
				if inside.Get(id) == nil {
					r.take(is, id)
				}
			}
		}
	}
	return interrupts
}

// nested returns the template of a nested stack by its logical id; nil if there is none.
func (t *Template) nested(id string) *cfn.Node {
	for _, n := range t.Nested {
		if n.ID == id {
			return n.Node
		}
	}
	return nil
}

// nestedOf is the logical id of the nested stack of an API, "" if it has none.
func nestedOf(root *cfn.Node, api string) string {
	for _, m := range members(root.Get("Resources")) {
		if ref := m.Value.Get("Properties", "Parameters", apiParameter, "Ref"); typeOf(m.Value) == stackType && ref != nil &&
			ref.Text == api {
			return m.Name
		}
	}
	return ""
}

// routesOf are the resources and methods of an API.
func routesOf(template *cfn.Node, api string) []string {
	var ids []string
	for _, m := range members(template.Get("Resources")) {
		kind := typeOf(m.Value)
		if ref := m.Value.Get("Properties", "RestApiId", "Ref"); (kind == resourceType || kind == methodType) && ref != nil &&
			ref.Text == api {
			ids = append(ids, m.Name)
		}
	}
	return ids
}

// belongings are what belongs to an API in the root, except itself and the roles.
func belongings(root *cfn.Node, api string) []string {
	var ids []string
	for _, m := range members(root.Get("Resources")) {
		kind := typeOf(m.Value)
		belongs := strings.HasPrefix(kind, "AWS::ApiGateway::") && kind != restAPIType ||
			slices.Contains([]string{"AWS::Lambda::Permission", "AWS::IAM::Policy", "AWS::IAM::ManagedPolicy", stackType}, kind)
		text := string(m.Value.Minified())
		if belongs && (strings.Contains(text, `{"Ref":"`+api+`"}`) || strings.Contains(text, "${"+api+"}")) {
			ids = append(ids, m.Name)
		}
	}
	return ids
}

func labelOf(t *Template, id string) string { return t.Of[id].Name }
