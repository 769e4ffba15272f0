package convert

import (
	"slices"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// isBody reports whether a parameter of Swagger is a part of the body.
func isBody(n *cfn.Node) bool {
	in := openapi.TextOf(n.Get("in"))
	return in == "body" || in == "formData"
}

// parameters converts the parameters that are not in the body; nil if there are none.
func (c *converter) parameters(list *cfn.Node) *cfn.Node {
	all := cfn.ListNode()
	for _, entry := range openapi.ItemsOf(list) {
		n, err := c.document.Resolve(entry)
		if err != nil || isBody(n) {
			continue
		}
		if to := c.reference(entry, "parameters"); to != nil {
			all.Items = append(all.Items, to)
			continue
		}
		all.Items = append(all.Items, c.parameter(n))
	}
	if len(all.Items) == 0 {
		return nil
	}
	return all
}

func (c *converter) parameter(from *cfn.Node) *cfn.Node {
	p := cfn.MapNode()
	copied(p, from, "name", "in", "description")
	in := openapi.TextOf(from.Get("in"))
	if in == "path" {
		p.WithBool("required", true)
	} else {
		copied(p, from, "required")
	}
	if in == "query" {
		copied(p, from, "allowEmptyValue")
	}
	if openapi.TextOf(from.Get("type")) == "array" {
		style(p, in, openapi.TextOf(from.Get("collectionFormat")))
	}
	return extensions(p.With("schema", c.plain(from)), from)
}

// style says how the values of an array are separated. Tabs are not in OpenAPI 3.
func style(p *cfn.Node, in, format string) {
	if in != "query" {
		// Commas are what there is.
		return
	}
	switch format {
	case "multi":
		p.WithText("style", "form").WithBool("explode", true)
	case "ssv":
		p.WithText("style", "spaceDelimited").WithBool("explode", false)
	case "pipes":
		p.WithText("style", "pipeDelimited").WithBool("explode", false)
	default:
		p.WithText("style", "form").WithBool("explode", false)
	}
}

const (
	urlForm       = "application/x-www-form-urlencoded"
	multipartForm = "multipart/form-data"
)

// body is what an operation takes; nil for nothing. Parameters of the path that the operation
// has too do not count.
func (c *converter) body(operation, shared *cfn.Node) *cfn.Node {
	var fields []*cfn.Node
	for _, list := range []*cfn.Node{operation.Get("parameters"), shared} {
		for _, entry := range openapi.ItemsOf(list) {
			n, err := c.document.Resolve(entry)
			if err != nil || !isBody(n) {
				continue
			}
			if openapi.TextOf(n.Get("in")) == "body" {
				return c.wholeBody(operation, n)
			}
			name := openapi.TextOf(n.Get("name"))
			if !slices.ContainsFunc(fields, func(f *cfn.Node) bool { return openapi.TextOf(f.Get("name")) == name }) {
				fields = append(fields, n)
			}
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return c.form(operation, fields)
}

func (c *converter) wholeBody(operation, from *cfn.Node) *cfn.Node {
	b := cfn.MapNode()
	copied(b, from, "description")
	content := cfn.MapNode()
	for _, media := range c.mediaTypes(operation, "consumes") {
		if media != urlForm && media != multipartForm {
			content.With(media, c.content(from.Get("schema"), nil))
		}
	}
	if len(content.Members) == 0 {
		content.With("application/json", c.content(from.Get("schema"), nil))
	}
	b.With("content", content)
	copied(b, from, "required")
	return extensions(b, from)
}

// form is a body with fields. Files can only be in one of several parts.
func (c *converter) form(operation *cfn.Node, fields []*cfn.Node) *cfn.Node {
	properties, required, files := cfn.MapNode(), cfn.ListNode(), false
	for _, f := range fields {
		schema := c.plain(f)
		if description := f.Get("description"); description != nil {
			schema.With("description", description)
		}
		properties.With(openapi.TextOf(f.Get("name")), schema)
		if openapi.IsTrue(f.Get("required")) {
			required.Items = append(required.Items, cfn.TextNode(openapi.TextOf(f.Get("name"))))
		}
		files = files || openapi.TextOf(f.Get("type")) == "file"
	}
	schema := cfn.MapNode().WithText("type", "object").With("properties", properties)
	body := cfn.MapNode()
	if len(required.Items) > 0 {
		schema.With("required", required)
	}
	content := cfn.MapNode()
	for _, media := range c.mediaTypes(operation, "consumes") {
		if media == multipartForm || media == urlForm && !files {
			content.With(media, cfn.MapNode().With("schema", schema))
		}
	}
	if len(content.Members) == 0 {
		media := urlForm
		if files {
			media = multipartForm
		}
		content.With(media, cfn.MapNode().With("schema", schema))
	}
	body.With("content", content)
	if len(required.Items) > 0 {
		body.WithBool("required", true)
	}
	return body
}

// plainKeys are the keys of a parameter or a header that its schema has in OpenAPI 3.
var plainKeys = []string{
	"type", "format", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
	"pattern",
	"maxItems", "minItems", "uniqueItems", "enum", "multipleOf",
}

// plain is the schema of a parameter, of a header, or of the items of one.
func (c *converter) plain(from *cfn.Node) *cfn.Node {
	if schema := from.Get("schema"); schema != nil {
		return c.schema(schema)
	}
	s := cfn.MapNode()
	copied(s, from, plainKeys...)
	if openapi.TextOf(from.Get("type")) == "file" {
		s = cfn.MapNode().WithText("type", "string").WithText("format", "binary")
	}
	if from.Get("items") != nil {
		s.With("items", c.plain(from.Get("items")))
	} else if openapi.TextOf(from.Get("type")) == "array" {
		s.With("items", cfn.MapNode())
	}
	if openapi.IsTrue(from.Get("x-nullable")) {
		s.WithBool("nullable", true)
	}
	return s
}
