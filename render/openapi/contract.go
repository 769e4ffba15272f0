package openapi

import (
	"slices"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/model/access"
)

// contract is the part of a document that the contract of the API decides.
type contract struct {
	*openapi.Document
	// of lists the contract's path items that each item of the API stands for, by its place in the list of items.
	of map[int][]*openapi.Item
	// paths are the paths of the API that the contract knows.
	paths map[*access.Path]bool
}

// placeContract finds out which items of the API serve the path items of the contract. What the
// API does not serve is left out, and so are path items whose operations are not known.
func placeContract(d *openapi.Document, all []Item) *contract {
	c := &contract{Document: d, of: make(map[int][]*openapi.Item), paths: make(map[*access.Path]bool)}
	matcher := access.NewMatcher()
	for i, item := range all {
		matcher.Add(item.Name("{proxy+}"), i)
	}
	shapes := make(map[string]bool)
	for _, item := range d.Items {
		at, shape := matcher.Start(), ""
		for segment := range strings.SplitSeq(strings.Trim(item.Name, "/"), "/") {
			if segment == "" {
				continue
			}
			if strings.Contains(segment, "{") {
				// No static segment of a path has this character.
				segment = "*"
			}
			at, shape = matcher.Next(at, segment), shape+"/"+segment
		}
		i := matcher.Resource(at)
		if i == access.NoResource || shapes[shape] || !slices.ContainsFunc(item.Operations, isAction) {
			continue
		}
		shapes[shape] = true
		c.of[i] = append(c.of[i], item)
		c.paths[all[i].Serves] = true
	}
	return c
}

// isAction reports whether a path can allow an operation: it is not for all methods, and not a
// method without an action.
func isAction(o *openapi.Operation) bool {
	_, ok := access.Terms{}.ActionOf(o.Method)
	return ok
}

// contractItem writes a path item of the contract as an item of the API serves it.
func (w *writer) contractItem(from *openapi.Item, i Item) *cfn.Node {
	item := cfn.MapNode()
	w.extend(item, i)
	for _, name := range []string{"summary", "description", "parameters"} {
		item.With(name, w.contract.Extension(from, name))
	}
	for _, o := range from.Operations {
		action, known := w.rules.Terms().ActionOf(o.Method)
		if who := w.rules.Callers(i.Serves, action); known && !who.Nobody() {
			item.With(strings.ToLower(o.Method), w.contractOperation(o, i, who))
		}
	}
	return item
}

// contractOperation writes an operation of the contract, with the security of the API.
func (w *writer) contractOperation(o *openapi.Operation, i Item, who access.Callers) *cfn.Node {
	n := cfn.MapNode()
	described := false
	for _, m := range o.Node.Members {
		switch {
		case m.Name == "security", m.Name == "servers", strings.HasPrefix(m.Name, "x-amazon-apigateway-"):
		case m.Name == "operationId" && !w.ids.isFirst(o.ID):
			// A name is an operation's alone.
		case m.Name == "description":
			described = true
			n.WithText(m.Name, strings.TrimRight(o.Description, "\n")+"\n\n"+whoMayCall(who))
		case m.Name == "responses" && !who.Everybody && m.Value.Get("403") == nil && m.Value.Kind == cfn.Map:
			w.refusals = true
			responses := cfn.MapNode(append([]cfn.Member{}, m.Value.Members...)...)
			n.With(m.Name, responses.With("403", reference("responses", w.refusalName())))
		default:
			w.keep(n, m)
		}
	}
	if !described {
		n.WithText("description", whoMayCall(who))
	}
	return n.With("security", w.securityOf(i))
}

// keep gives an operation what one of the contract has. Its tags are the document's too.
func (w *writer) keep(operation *cfn.Node, m cfn.Member) {
	if m.Name == "tags" {
		for _, tag := range m.Value.Items {
			w.tags.add(tag.Text)
		}
	}
	operation.With(m.Name, m.Value)
}

// refusalName is the name of the component for what the gateway answers: another than the contract's.
func (w *writer) refusalName() string {
	name := refusalComponent
	for w.contract != nil &&
		(w.contract.Root.Get("components", "schemas", name) != nil ||
			w.contract.Root.Get("components", "responses", name) != nil) {
		name = "Gateway" + name
	}
	return name
}

// merged adds the members of own to those of the contract's map; nil if both are empty.
func merged(theirs, own *cfn.Node) *cfn.Node {
	n := cfn.MapNode()
	for _, from := range []*cfn.Node{theirs, own} {
		if from == nil || from.Kind != cfn.Map {
			continue
		}
		for _, m := range from.Members {
			if n.Get(m.Name) == nil {
				n.With(m.Name, m.Value)
			}
		}
	}
	if len(n.Members) == 0 {
		return nil
	}
	return n
}

// withComponents adds the components of the contract to own: all but the security schemes.
func (c *contract) withComponents(own *cfn.Node) *cfn.Node {
	theirs := c.Root.Get("components")
	n := cfn.MapNode()
	seen := map[string]bool{"securitySchemes": true}
	if theirs != nil && theirs.Kind == cfn.Map {
		for _, m := range theirs.Members {
			if !seen[m.Name] {
				seen[m.Name] = true
				n.With(m.Name, merged(m.Value, own.Get(m.Name)))
			}
		}
	}
	if own != nil {
		for _, m := range own.Members {
			if m.Name == "securitySchemes" || !seen[m.Name] {
				n.With(m.Name, m.Value)
			}
		}
	}
	if len(n.Members) == 0 {
		return nil
	}
	return n
}

// tagNodes lists the tags of the contract, then those that the contract does not describe.
func (c *contract) tagNodes(used *tagList) *cfn.Node {
	list, described := cfn.ListNode(), make(map[string]bool)
	if theirs := c.Root.Get("tags"); theirs != nil {
		for _, tag := range theirs.Items {
			if name := tag.Get("name"); name != nil && !described[name.Text] {
				described[name.Text] = true
				list.Items = append(list.Items, tag)
			}
		}
	}
	for _, name := range used.names {
		if !described[name] {
			list.Items = append(list.Items, cfn.MapNode().WithText("name", name))
		}
	}
	if len(list.Items) == 0 {
		return nil
	}
	return list
}
