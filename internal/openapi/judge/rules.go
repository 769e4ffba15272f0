package judge

import (
	"strings"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// Rules are the schemas of a document that were made ready. Making one ready is for one
// goroutine; after that, runs of any number of goroutines may use them.
type Rules struct {
	document *openapi.Document
	// siblings says that a reference may have other keywords next to it, as from OpenAPI 3.1 on.
	siblings bool
	schemas  map[*cfn.Node]*Schema
	waiting  []*Schema
	patterns map[string]*pattern
	unjudged []Fault
}

// Schema is a schema that was made ready. A nil schema holds for every value.
type Schema struct {
	node *cfn.Node
	// within is the schema of whose allOf this one is a part; the schema itself for none.
	within *cfn.Node
	rules  []rule

	// What Kinds, Property and Items ask for.
	kinds      Kinds
	parts      []*Schema
	choices    [][]*Schema
	properties map[string]*Schema
	additional *Schema
	items      *Schema
}

// rule judges a value by one keyword.
type rule func(r *Run, v *cfn.Node)

// New returns the rules of a document, without a schema.
func New(d *openapi.Document) *Rules {
	return &Rules{
		document: d, siblings: !d.Swagger() && !strings.HasPrefix(d.Version, "3.0"),
		schemas: make(map[*cfn.Node]*Schema), patterns: make(map[string]*pattern),
	}
}

// Schema makes a schema of the document ready, with all that it refers to. It returns nil for
// a nil node.
func (s *Rules) Schema(node *cfn.Node) *Schema {
	schema := s.add(node, nil)
	for len(s.waiting) > 0 {
		last := len(s.waiting) - 1
		next := s.waiting[last]
		s.waiting = s.waiting[:last]
		s.read(next)
	}
	return schema
}

// Unjudged lists what of the schemas is not judged, such as a pattern that RE2 does not have.
// The pointers are those of the document.
func (s *Rules) Unjudged() []Fault { return s.unjudged }

// add returns the schema of a node, which is read later.
func (s *Rules) add(node, within *cfn.Node) *Schema {
	if node == nil {
		return nil
	}
	schema, known := s.schemas[node]
	if !known {
		if within == nil {
			within = node
		}
		schema = &Schema{node: node, within: within, kinds: All}
		s.schemas[node] = schema
		s.waiting = append(s.waiting, schema)
	}
	return schema
}

// list returns the schemas of a list.
func (s *Rules) list(node, within *cfn.Node) []*Schema {
	if node.Kind != cfn.List {
		return nil
	}
	schemas := make([]*Schema, len(node.Items))
	for i, item := range node.Items {
		schemas[i] = s.add(item, within)
	}
	return schemas
}

// named returns the schemas of a map.
func (s *Rules) named(node *cfn.Node) map[string]*Schema {
	if node.Kind != cfn.Map {
		return nil
	}
	schemas := make(map[string]*Schema, len(node.Members))
	for _, m := range node.Members {
		schemas[m.Name] = s.add(m.Value, nil)
	}
	return schemas
}

// omit remembers that a part of a schema is not judged.
func (s *Rules) omit(node *cfn.Node, text string) {
	s.unjudged = append(s.unjudged, Fault{Pointer: node.Pointer, Line: node.Line, Column: node.Column, Text: text})
}

// read makes the rules of a schema.
func (s *Rules) read(schema *Schema) {
	node := schema.node
	if node.Kind == cfn.Bool && node.Text == "false" {
		schema.kinds = 0
		schema.rules = []rule{func(r *Run, v *cfn.Node) { r.add(v.Pointer, node, otherKind, "is not allowed") }}
	}
	if ref := node.Get("$ref"); ref != nil && ref.Kind == cfn.String {
		s.readReference(schema, ref)
		if !s.siblings {
			return
		}
	}
	if node.Kind != cfn.Map {
		return
	}
	for _, m := range node.Members {
		read, known := keywords[m.Name]
		if !known {
			continue
		}
		if rule := read(&reading{s, schema, node, m.Value}); rule != nil {
			schema.rules = append(schema.rules, rule)
		}
	}
}

func (s *Rules) readReference(schema *Schema, ref *cfn.Node) {
	target, err := s.document.Find(ref.Text)
	if err != nil {
		s.omit(ref, "the reference "+err.Error())
		return
	}
	to := s.add(target, nil)
	schema.parts = append(schema.parts, to)
	schema.rules = append(schema.rules, func(r *Run, v *cfn.Node) {
		// Whatever is judged now is judged only once: a schema that refers to itself asks
		// nothing more of the same value.
		for i := len(r.active) - 1; i >= 0 && r.active[i].value == v; i-- {
			if !r.spend(1) || r.active[i].to == to {
				return
			}
		}
		r.active = append(r.active, visit{to, v})
		r.judge(to, v)
		r.active = r.active[:len(r.active)-1]
	})
}
