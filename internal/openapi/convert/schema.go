package convert

import (
	"fmt"
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// sections are the sections of Swagger that others refer to, with those of the components of
// OpenAPI 3.
var sections = map[string]string{"definitions": "schemas", "parameters": "parameters", "responses": "responses"}

// deepest is how deep values are put instead of references that lead elsewhere, and mostInlined
// how many in all.
const (
	deepest     = 8
	mostInlined = 10_000
)

// schema converts a schema and all in it.
func (c *converter) schema(from *cfn.Node) *cfn.Node {
	if to := c.reference(from, "definitions"); to != nil {
		return to
	}
	if from.Kind != cfn.Map {
		return from
	}
	if from.Get("$ref") != nil {
		return c.elsewhere(from)
	}
	if openapi.TextOf(from.Get("type")) == "file" {
		return cfn.MapNode().WithText("type", "string").WithText("format", "binary")
	}
	s := cfn.MapNode()
	for _, m := range from.Members {
		switch {
		case m.Name == "properties" && m.Value.Kind == cfn.Map:
			properties := cfn.MapNode()
			for _, p := range m.Value.Members {
				properties.With(p.Name, c.schema(p.Value))
			}
			s.With(m.Name, properties)
		case m.Name == "items" && m.Value.Kind == cfn.Map, m.Name == "additionalProperties" && m.Value.Kind == cfn.Map:
			s.With(m.Name, c.schema(m.Value))
		case m.Name == "allOf" && m.Value.Kind == cfn.List:
			all := cfn.ListNode()
			for _, part := range m.Value.Items {
				all.Items = append(all.Items, c.schema(part))
			}
			s.With(m.Name, all)
		case m.Name == "discriminator" && m.Value.Kind == cfn.String:
			s.With(m.Name, cfn.MapNode().WithText("propertyName", m.Value.Text))
		case m.Name == "x-nullable":
			s.With("nullable", m.Value)
		case m.Name == "type":
			types(s, m.Value)
		default:
			s.With(m.Name, m.Value)
		}
	}
	if openapi.TextOf(s.Get("type")) == "array" && s.Get("items") == nil {
		s.With("items", cfn.MapNode())
	}
	return s
}

// types says of which types a value is. OpenAPI 3.0 has no type null, and no lists of types.
func types(s, from *cfn.Node) {
	all, null := cfn.ListNode(), false
	for _, t := range append(openapi.ItemsOf(from), from) {
		switch name := openapi.TextOf(t); name {
		case "":
		case "null":
			null = true
		default:
			all.Items = append(all.Items, cfn.MapNode().WithText("type", name))
		}
	}
	switch {
	case len(all.Items) == 1:
		s.With("type", all.Items[0].Get("type"))
	case len(all.Items) > 1:
		s.With("anyOf", all)
	case null:
		s.With("enum", cfn.ListNode(&cfn.Node{Kind: cfn.Null}))
	}
	if null {
		s.WithBool("nullable", true)
	}
}

// elsewhere puts the value of a reference in its place, if it leads to no component: the place
// to which it leads is another in OpenAPI 3.
func (c *converter) elsewhere(from *cfn.Node) *cfn.Node {
	to, err := c.document.Resolve(from)
	if err != nil || c.deep >= deepest || c.inlined >= mostInlined {
		return cfn.MapNode()
	}
	c.deep, c.inlined = c.deep+1, c.inlined+1
	defer func() { c.deep-- }()
	return c.schema(to)
}

// reference is a reference to a component of a section, or to a part of a definition; nil for
// any other node.
func (c *converter) reference(from *cfn.Node, section string) *cfn.Node {
	rest, is := strings.CutPrefix(openapi.TextOf(from.Get("$ref")), "#/"+section+"/")
	if !is {
		return nil
	}
	if _, err := c.document.Resolve(from); err != nil {
		return cfn.MapNode()
	}
	token, below, deeper := strings.Cut(rest, "/")
	if deeper && section != "definitions" {
		return nil
	}
	name, known := c.names[section][decoded(token)]
	if !known {
		return cfn.MapNode()
	}
	to := "#/components/" + sections[section] + "/" + name
	if deeper {
		to += "/" + below
	}
	return cfn.MapNode().WithText("$ref", to)
}

// componentNames are the names that the members of a section get: OpenAPI 3 allows letters,
// digits, dots, hyphens and underscores (https://spec.openapis.org/oas/v3.0.3.html#components-object).
func componentNames(section *cfn.Node) map[string]string {
	names, taken := make(map[string]string), make(map[string]bool)
	all := openapi.MembersOf(section)
	for _, m := range all {
		if name := allowed(m.Name); name == m.Name {
			names[m.Name], taken[name] = name, true
		}
	}
	for _, m := range all {
		if names[m.Name] != "" {
			continue
		}
		name := allowed(m.Name)
		for n := 2; taken[name] || name == ""; n++ {
			name = fmt.Sprintf("%s_%d", allowed(m.Name), n)
		}
		names[m.Name], taken[name] = name, true
	}
	return names
}

func allowed(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return '_'
	}, name)
}
