package template

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// routes takes away the routes of APIs that the next template does not have in the same stack, with
// what is below them. An API whose home becomes another stack loses all that belongs to it there: two
// stacks cannot have one stage. It returns the labels of such APIs.
func (r *removal) routes(old Deployed, made *Template) (interrupts []string) {
	next := made.deployed()
	for _, m := range members(old.Root.Get("Resources")) {
		if typeOf(m.Value) != restAPIType || next.Root.Get("Resources", m.Name) == nil {
			continue
		}
		if old.homeOf(m.Name) != next.homeOf(m.Name) {
			for _, id := range belongings(old.Root, m.Name) {
				r.take("", id)
			}
			interrupts = append(interrupts, made.Of[m.Name].Name)
			continue
		}
		r.routesOf(old, next, m.Name)
	}
	return interrupts
}

// routesOf takes away the routes of one API.
func (r *removal) routesOf(old, next Deployed, api string) {
	stacks, at := append([]string{""}, old.stacksOf(api)...), next.whereIs()
	for before := -1; len(r.gone) != before; {
		before = len(r.gone)
		for _, stack := range stacks {
			for _, m := range members(old.in(stack).Get("Resources")) {
				if !isRouteOf(m.Value, api) {
					continue
				}
				below := r.gone[refAt(m.Value, "ParentId")] || r.gone[refAt(m.Value, "ResourceId")]
				if below || next.in(stack).Get("Resources", m.Name) == nil {
					r.take(stack, m.Name)
					_, stays := at[m.Name]
					r.gone[m.Name], r.moves = true, r.moves || stays
				}
			}
		}
	}
	// A stack has at least one resource.
	for _, stack := range stacks {
		if stack != "" && len(r.inside[stack]) == len(members(old.in(stack).Get("Resources"))) {
			r.take(old.around(stack), stack)
		}
	}
}

// homeOf is the stack that has the stage of an API; "" is the root.
func (d *Deployed) homeOf(api string) string {
	for _, id := range d.stacksOf(api) {
		for _, m := range members(d.Nested[id].Get("Resources")) {
			if typeOf(m.Value) == stageType {
				return id
			}
		}
	}
	return ""
}

// stacksOf are the nested stacks with parts of an API: those that are given its id.
func (d *Deployed) stacksOf(api string) []string {
	var ids []string
	for in := range d.Nested {
		ref := refAt(d.in(d.around(in)).Get("Resources", in), "Parameters", apiParameter)
		if ref == apiParameter {
			ref = refAt(d.Root.Get("Resources", d.around(in)), "Parameters", apiParameter)
		}
		if ref == api {
			ids = append(ids, in)
		}
	}
	slices.Sort(ids)
	return ids
}

// isRouteOf reports whether a resource is one of API Gateway of an API, or a method.
func isRouteOf(resource *cfn.Node, api string) bool {
	kind, ref := typeOf(resource), refAt(resource, "RestApiId")
	return (kind == resourceType || kind == methodType) && (ref == api || ref == apiParameter)
}

// refAt is what a property refers to; "" if it is no Ref.
func refAt(resource *cfn.Node, property ...string) string {
	if ref := resource.Get("Properties").Get(property...).Get("Ref"); ref != nil {
		return ref.Text
	}
	return ""
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
