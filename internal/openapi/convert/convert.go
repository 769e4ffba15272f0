package convert

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// Version is the version of the documents that are written.
const Version = "3.0.3"

// FromSwagger returns a document of Swagger 2.0 as one of OpenAPI 3.0 with the same name. The
// places in it are not those of the file. The error is that of openapi.Read.
func FromSwagger(d *openapi.Document) (*openapi.Document, error) {
	c := &converter{document: d, names: make(map[string]map[string]string)}
	for section := range sections {
		c.names[section] = componentNames(d.Root.Get(section))
	}
	return openapi.Read(d.Name, c.root().JSON())
}

// converter converts one document.
type converter struct {
	document *openapi.Document
	// names are the names of components by section of Swagger and their names there.
	names map[string]map[string]string
	// deep counts how deep values are put instead of references that lead elsewhere, and inlined
	// all that are.
	deep, inlined int
}

func (c *converter) root() *cfn.Node {
	from := c.document.Root
	root := cfn.MapNode().WithText("openapi", Version)
	copied(root, from, "info", "externalDocs", "tags")
	paths := cfn.MapNode()
	for _, m := range openapi.MembersOf(from.Get("paths")) {
		if strings.HasPrefix(m.Name, "x-") {
			paths.With(m.Name, m.Value)
			continue
		}
		paths.With(m.Name, c.item(m.Value))
	}
	return extensions(root.With("paths", paths).With("components", c.components()), from)
}

// components are the definitions, parameters and responses that others refer to. A body is in
// each operation that has it.
func (c *converter) components() *cfn.Node {
	all := cfn.MapNode()
	add := func(from string, convert func(*cfn.Node) *cfn.Node) {
		section := cfn.MapNode()
		for _, m := range openapi.MembersOf(c.document.Root.Get(from)) {
			if n := convert(m.Value); n != nil {
				section.With(c.names[from][m.Name], n)
			}
		}
		if len(section.Members) > 0 {
			all.With(sections[from], section)
		}
	}
	add("definitions", c.schema)
	add("parameters", func(n *cfn.Node) *cfn.Node {
		if isBody(n) {
			return nil
		}
		return c.parameter(n)
	})
	add("responses", func(n *cfn.Node) *cfn.Node { return c.response(n, c.mediaTypes(nil, "produces")) })
	if len(all.Members) == 0 {
		return nil
	}
	return all
}

func (c *converter) item(from *cfn.Node) *cfn.Node {
	from, err := c.document.Resolve(from)
	if err != nil || from.Kind != cfn.Map {
		return cfn.MapNode()
	}
	item := cfn.MapNode()
	shared := from.Get("parameters")
	for _, m := range from.Members {
		switch m.Name {
		case "get", "put", "post", "delete", "options", "head", "patch":
			item.With(m.Name, c.operation(m.Value, shared))
		case "parameters":
			item.With(m.Name, c.parameters(shared))
		}
	}
	return extensions(item, from)
}

// operation converts an operation; shared are the parameters of its path.
func (c *converter) operation(from, shared *cfn.Node) *cfn.Node {
	o := cfn.MapNode()
	copied(o, from, "tags", "summary", "description", "externalDocs", "operationId")
	o.With("parameters", c.parameters(from.Get("parameters")))
	o.With("requestBody", c.body(from, shared))
	responses := cfn.MapNode()
	for _, m := range openapi.MembersOf(from.Get("responses")) {
		if strings.HasPrefix(m.Name, "x-") {
			responses.With(m.Name, m.Value)
			continue
		}
		responses.With(m.Name, c.response(m.Value, c.mediaTypes(from, "produces")))
	}
	if len(responses.Members) == 0 {
		responses.With("default", cfn.MapNode().WithText("description", ""))
	}
	o.With("responses", responses)
	copied(o, from, "deprecated", "security")
	return extensions(o, from)
}

// response converts an answer, which has its schema for each of some media types.
func (c *converter) response(from *cfn.Node, mediaTypes []string) *cfn.Node {
	if to := c.reference(from, "responses"); to != nil {
		return to
	}
	from, err := c.document.Resolve(from)
	if err != nil || from.Kind != cfn.Map {
		return cfn.MapNode().WithText("description", "")
	}
	r := cfn.MapNode().WithText("description", openapi.TextOf(from.Get("description")))
	headers := cfn.MapNode()
	for _, m := range openapi.MembersOf(from.Get("headers")) {
		h := cfn.MapNode()
		copied(h, m.Value, "description")
		headers.With(m.Name, extensions(h.With("schema", c.plain(m.Value)), m.Value))
	}
	if len(headers.Members) > 0 {
		r.With("headers", headers)
	}
	schema, examples := from.Get("schema"), from.Get("examples")
	content := cfn.MapNode()
	for _, media := range mediaTypes {
		if schema != nil || examples.Get(media) != nil {
			content.With(media, c.content(schema, examples.Get(media)))
		}
	}
	for _, m := range openapi.MembersOf(examples) {
		if content.Get(m.Name) == nil {
			content.With(m.Name, c.content(schema, m.Value))
		}
	}
	if len(content.Members) > 0 {
		r.With("content", content)
	}
	return extensions(r, from)
}

// content is one form of a body.
func (c *converter) content(schema, example *cfn.Node) *cfn.Node {
	n := cfn.MapNode()
	if schema != nil {
		n.With("schema", c.schema(schema))
	}
	return n.With("example", example)
}

// mediaTypes are those of an operation, else of the document, else JSON.
func (c *converter) mediaTypes(operation *cfn.Node, key string) []string {
	for _, from := range []*cfn.Node{operation, c.document.Root} {
		list := from.Get(key)
		if list == nil || list.Kind != cfn.List {
			continue
		}
		var all []string
		for _, item := range list.Items {
			if media := openapi.TextOf(item); media != "" {
				all = append(all, media)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return []string{"application/json"}
}
