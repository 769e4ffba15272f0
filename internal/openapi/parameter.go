package openapi

import (
	"cmp"
	"slices"
	"strings"

	"gatewright/internal/cfn"
)

// Parameter is a parameter of an operation, or of all operations of its path item.
type Parameter struct {
	// Name is the name, and In where it is: path, query, header or cookie.
	Name, In    string
	Required    bool
	Description string
	// Schema is that of the value; in Swagger 2.0 the parameter itself has it. It is nil for
	// none, and may be a reference.
	Schema *cfn.Node
	Node   *cfn.Node
}

// Parameters lists the parameters of an operation: its own, then those of its path item that it does not
// replace. What cannot be read is left out. The body of Swagger 2.0 is none of them, see Body.
func (d *Document) Parameters(o *Operation) []Parameter {
	var list []Parameter
	for _, node := range []*cfn.Node{o.Node.Get("parameters"), d.Extension(o.Item, "parameters")} {
		for _, entry := range ItemsOf(node) {
			n, err := d.Resolve(entry)
			if err != nil {
				continue
			}
			p := Parameter{
				Name: TextOf(n.Get("name")), In: TextOf(n.Get("in")), Description: TextOf(n.Get("description")),
				Schema: n.Get("schema"), Node: n,
			}
			p.Required = IsTrue(n.Get("required"))
			if d.Swagger() && p.Schema == nil {
				p.Schema = n
			}
			replaced := slices.ContainsFunc(list, func(q Parameter) bool { return q.Name == p.Name && q.In == p.In })
			if p.In == "body" || p.In == "formData" || p.Name == "" || replaced {
				continue
			}
			list = append(list, p)
		}
	}
	return list
}

// IsTrue reports whether a node is the value true; it may be nil.
func IsTrue(n *cfn.Node) bool { return n != nil && n.Kind == cfn.Bool && n.Text == "true" }

// Content is one form that a body may have.
type Content struct {
	// MediaType is such as application/json, and may have a * for a part.
	MediaType string
	// Schema describes it, and Example is one; nil for none. A schema may be a reference.
	Schema, Example *cfn.Node
	// Examples are those that have names; the value of one that is in another document is nil.
	Examples []cfn.Member
	// Encoding says how the fields of a form are written; nil if nothing does.
	Encoding *cfn.Node
}

// Body is what an operation takes.
type Body struct {
	Required bool
	Contents []Content
}

// Body returns the body that an operation takes; nil if the document has none.
func (d *Document) Body(o *Operation) *Body {
	if !d.Swagger() {
		entry := o.Node.Get("requestBody")
		if entry == nil {
			return nil
		}
		n, err := d.Resolve(entry)
		if err != nil {
			return nil
		}
		return &Body{Required: IsTrue(n.Get("required")), Contents: d.contents(n.Get("content"))}
	}
	for _, node := range []*cfn.Node{o.Node.Get("parameters"), d.Extension(o.Item, "parameters")} {
		for _, entry := range ItemsOf(node) {
			n, err := d.Resolve(entry)
			if err == nil && TextOf(n.Get("in")) == "body" {
				return &Body{Required: IsTrue(n.Get("required")), Contents: d.swaggerContents(o, "consumes", n.Get("schema"), nil)}
			}
		}
	}
	return nil
}

// Answer is one answer of an operation.
type Answer struct {
	// Status is such as 200, 4XX or default.
	Status, Description string
	Contents            []Content
	Node                *cfn.Node
}

// Answers lists the answers of an operation. What cannot be read is left out.
func (d *Document) Answers(o *Operation) []Answer {
	var list []Answer
	for _, m := range MembersOf(o.Node.Get("responses")) {
		n, err := d.Resolve(m.Value)
		if err != nil || strings.HasPrefix(m.Name, "x-") {
			continue
		}
		a := Answer{Status: m.Name, Description: TextOf(n.Get("description")), Node: n}
		if d.Swagger() {
			a.Contents = d.swaggerContents(o, "produces", n.Get("schema"), n.Get("examples"))
		} else {
			a.Contents = d.contents(n.Get("content"))
		}
		list = append(list, a)
	}
	return list
}

// contents reads the content of OpenAPI 3.
func (d *Document) contents(node *cfn.Node) []Content {
	var list []Content
	for _, m := range MembersOf(node) {
		n, err := d.Resolve(m.Value)
		if err != nil {
			continue
		}
		c := Content{MediaType: m.Name, Schema: n.Get("schema"), Example: n.Get("example"), Encoding: n.Get("encoding")}
		for _, e := range MembersOf(n.Get("examples")) {
			example, err := d.Resolve(e.Value)
			if err != nil {
				continue
			}
			// OpenAPI 3.2 has dataValue too (https://spec.openapis.org/oas/v3.2.0.html#example-object).
			value := cmp.Or(example.Get("value"), example.Get("dataValue"))
			c.Example = cmp.Or(c.Example, value)
			c.Examples = append(c.Examples, cfn.Member{Name: e.Name, Value: value, Line: e.Line, Column: e.Column})
		}
		list = append(list, c)
	}
	return list
}

// swaggerContents reads the schema of Swagger 2.0, for the media types of the operation, else
// of the document.
func (d *Document) swaggerContents(o *Operation, key string, schema, examples *cfn.Node) []Content {
	if schema == nil && examples == nil {
		return nil
	}
	types := o.Node.Get(key)
	if types == nil {
		types = d.Root.Get(key)
	}
	var list []Content
	for _, media := range ItemsOf(types) {
		list = append(list, Content{MediaType: media.Text, Schema: schema, Example: examples.Get(media.Text)})
	}
	if list == nil {
		list = []Content{{MediaType: "application/json", Schema: schema, Example: examples.Get("application/json")}}
	}
	return list
}
