package template

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// routes removes the routes of APIs that the next template does not have in the same stack, with
// what is below them. An API whose home becomes another stack loses all that belongs to it there: two
// stacks cannot have one stage. It returns the labels of such APIs, and whether other routes move.
func (r removal) routes(old Deployed, made *Template) (interrupts []string, moves bool) {
	next, at := made.deployed(), old.whereIs()
	tooMuch := next.differingFrom(old) > mostAtOnce
	for _, m := range members(old.Root.Get("Resources")) {
		if typeOf(m.Value) != restAPIType {
			continue
		}
		if next.Root.Get("Resources", m.Name) == nil {
			// An API that goes does so with the last update, unless that could not remove all of it.
			for _, id := range old.stacksOf(m.Name) {
				if tooMuch {
					r.take(at[id], id)
				}
			}
			continue
		}
		// A push that ended before its last update made no stage.
		was, there := old.homeOf(m.Name)
		if is, _ := next.homeOf(m.Name); there && was != is {
			for _, id := range belongings(old.Root, m.Name) {
				r.take("", id)
			}
			interrupts = append(interrupts, made.Of[m.Name].Name)
			continue
		}
		moves = r.routesOf(old, next, m.Name) || moves
	}
	return interrupts, moves
}

// routesOf removes the routes of one API, and reports whether some of them move.
func (r removal) routesOf(old, next Deployed, api string) (moves bool) {
	stacks, was, is := append([]string{""}, old.stacksOf(api)...), old.whereIs(), next.whereIs()
	gone := make(map[string]bool)
	for before := -1; len(gone) != before; {
		before = len(gone)
		for _, stack := range stacks {
			for _, m := range members(old.in(stack).Get("Resources")) {
				if !isRouteOf(m.Value, api) {
					continue
				}
				to, stays := is[m.Name]
				if !stays || to != stack || gone[refAt(m.Value, "ParentId")] || gone[refAt(m.Value, "ResourceId")] {
					r.take(stack, m.Name)
					gone[m.Name], moves = true, moves || stays
				}
			}
		}
	}
	// A stack has at least one resource.
	for _, stack := range stacks {
		if stack != "" && len(r[stack]) == len(members(old.in(stack).Get("Resources"))) {
			r.take(was[stack], stack)
		}
	}
	return moves
}

// homeOf is the stack that has the stage of an API, if one has; "" is the root.
func (d Deployed) homeOf(api string) (stack string, there bool) {
	for _, stack := range append([]string{""}, d.stacksOf(api)...) {
		for _, m := range members(d.in(stack).Get("Resources")) {
			if typeOf(m.Value) == stageType && (stack != "" || refAt(m.Value, "RestApiId") == api) {
				return stack, true
			}
		}
	}
	return "", false
}

// stacksOf are the nested stacks with parts of an API: those that are given its id.
func (d Deployed) stacksOf(api string) []string {
	var ids []string
	at := d.whereIs()
	for _, id := range d.inOrder() {
		ref := refAt(d.in(at[id]).Get("Resources", id), "Parameters", apiParameter)
		if ref == api || ref == apiParameter && slices.Contains(ids, at[id]) {
			ids = append(ids, id)
		}
	}
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
