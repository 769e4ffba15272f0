package client

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
)

// clientTypes writes the schemas of a contract as types.
type clientTypes struct {
	*openapi.Document
	names *clientNames
	graph *schemaGraph
	// named are the names of schemas that are referred to, and queue those that are not yet declared.
	named map[schemaUse]string
	queue []schemaUse
	// siblings says that what stands next to a reference counts, as in OpenAPI 3.1 and later
	// (https://spec.openapis.org/oas/v3.1.0.html#reference-object).
	siblings bool
}

// schemaUse is a schema in a body that is sent, or in what is answered: a member that is readOnly is not sent, and
// one that is writeOnly is not answered (https://spec.openapis.org/oas/v3.0.3.html#fixed-fields-19).
type schemaUse struct {
	node *cfn.Node
	sent bool
}

// typePlace is where a type is written.
type typePlace struct {
	sent  bool
	level int
	// of is the schema whose declaration consists of the type, directly or as a part of a union or
	// an intersection; nil inside of an object or an array.
	of *cfn.Node
}

// inner is the place of the members and items of a type.
func (p typePlace) inner() typePlace { return typePlace{sent: p.sent, level: p.level + 1} }

// components are the schemas with a name in the contract.
func components(d *openapi.Document) *cfn.Node {
	if d.Swagger() {
		return d.Root.Get("definitions")
	}
	return d.Root.Get("components", "schemas")
}

func newClientTypes(d *openapi.Document, names *clientNames) *clientTypes {
	t := &clientTypes{Document: d, names: names, graph: newSchemaGraph(d), named: make(map[schemaUse]string)}
	t.siblings = !d.Swagger() && !strings.HasPrefix(d.Version, "3.0")
	if schemas := components(d); schemas != nil && schemas.Kind == cfn.Map {
		for _, m := range schemas.Members {
			t.nameOf(m.Value, false)
		}
	}
	return t
}

// nameOf returns the name of the type of a schema, which declare declares later.
func (t *clientTypes) nameOf(n *cfn.Node, sent bool) string {
	use := schemaUse{n, sent && t.graph.differs[n]}
	name, known := t.named[use]
	if !known {
		name = typeName(schemaName(n.Pointer))
		if use.sent {
			name += "Input"
		}
		name = t.names.take(name, n.Pointer+map[bool]string{true: " sent"}[use.sent])
		t.named[use] = name
		t.queue = append(t.queue, use)
	}
	return name
}

// schemaName is the name of a schema at a JSON pointer: of a component its own, of another its whole place.
func schemaName(pointer string) string {
	for _, components := range []string{"/components/schemas/", "/definitions/"} {
		if name, ok := strings.CutPrefix(pointer, components); ok && !strings.Contains(name, "/") {
			return jsontext.Pointer("/" + name).LastToken()
		}
	}
	return strings.Join(slices.Collect(jsontext.Pointer(pointer).Tokens()), " ")
}

// declare declares the types that have a name, and says whether there was room for all.
func (t *clientTypes) declare(out *strings.Builder) bool {
	for i := 0; i < len(t.queue); i++ {
		use := t.queue[i]
		name := t.named[use]
		out.WriteString("\n" + docComment(0, aboutSchema(use.node)...))
		if t.isInterface(use.node) {
			members, rest := t.members(use.node, typePlace{sent: use.sent}, nil)
			out.WriteString("export interface " + name + " " + objectLines(members, rest, 0) + "\n")
		} else {
			out.WriteString("export type " + name + " = " +
				t.typeOf(use.node, typePlace{sent: use.sent, of: use.node}).text + ";\n")
		}
		if out.Len() > largestClient {
			return false
		}
	}
	return true
}

// isInterface reports whether a schema is that of an object and of nothing else.
func (t *clientTypes) isInterface(n *cfn.Node) bool {
	for _, key := range []string{"$ref", "allOf", "oneOf", "anyOf", "enum", "const"} {
		if n.Get(key) != nil {
			return false
		}
	}
	kinds, null := kindsOf(n)
	return slices.Equal(kinds, []string{"object"}) && !null && n.Get("properties") != nil
}

// typeOf returns the type of a schema; unknown if it says nothing, or is nil.
func (t *clientTypes) typeOf(n *cfn.Node, p typePlace) scriptType {
	switch {
	case n != nil && n.Kind == cfn.Bool && n.Text == "false":
		return neverType
	case n == nil || n.Kind != cfn.Map:
		return unknownType
	case openapi.TextOf(n.Get("$ref")) == "":
		return t.inline(n, p)
	}
	named := unknownType
	if to, err := target(t.Document, n); err == nil && (p.of == nil || !t.graph.circle(p.of, to)) {
		named = scriptType{text: t.nameOf(to, p.sent)}
	}
	if !t.siblings {
		return named
	}
	return intersectionOf(named, t.inline(n, p))
}

// inline returns the type of what a schema itself says.
func (t *clientTypes) inline(n *cfn.Node, p typePlace) scriptType {
	kinds, null := kindsOf(n)
	parts := []scriptType{t.valueType(n, kinds, p)}
	for _, part := range openapi.ItemsOf(n.Get("allOf")) {
		if isRequirement(part) {
			parts = append(parts, t.required(part, n, p))
			continue
		}
		parts = append(parts, t.typeOf(part, p))
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		var alternatives []scriptType
		for _, part := range openapi.ItemsOf(n.Get(key)) {
			if isRequirement(part) {
				alternatives = append(alternatives, t.required(part, n, p))
				continue
			}
			alternatives = append(alternatives, t.typeOf(part, p))
		}
		if alternatives != nil {
			parts = append(parts, unionOf(alternatives...))
		}
	}
	whole := intersectionOf(parts...)
	if null && !(whole.rank == union && strings.HasSuffix(whole.text, " | null")) {
		return unionOf(whole, nullType)
	}
	return whole
}

// valueType is the type of the value that a schema describes, apart from the schemas that it combines.
func (t *clientTypes) valueType(n *cfn.Node, kinds []string, p typePlace) scriptType {
	if value := n.Get("const"); value != nil {
		if literal, ok := literalType(value); ok {
			return literal
		}
	}
	if values := openapi.ItemsOf(n.Get("enum")); len(values) > 0 {
		var literals []scriptType
		for _, value := range values {
			literal, ok := literalType(value)
			if !ok {
				literals = nil
				break
			}
			literals = append(literals, literal)
		}
		if literals != nil {
			return unionOf(literals...)
		}
	}
	var types []scriptType
	for _, kind := range kinds {
		switch kind {
		case "object":
			types = append(types, t.object(n, p))
		case "array":
			types = append(types, arrayOf(t.itemType(n, p)))
		case "string", "boolean":
			types = append(types, scriptType{text: kind})
		case "number", "integer":
			types = append(types, scriptType{text: "number"})
		default:
			return unknownType
		}
	}
	if types == nil {
		return unknownType
	}
	return unionOf(types...)
}

// literalType is the type of one value, if that is no object or array.
func literalType(n *cfn.Node) (scriptType, bool) {
	switch n.Kind {
	case cfn.Null:
		return nullType, true
	case cfn.Bool:
		return scriptType{text: n.Text}, true
	case cfn.Number:
		return scriptType{text: n.Text}, json.Valid([]byte(n.Text))
	case cfn.String:
		return scriptType{text: String(n.Text)}, true
	}
	return scriptType{}, false
}

// kindsOf returns the words for the type of a schema, without null, and whether null is one of
// them. A schema without a type has that of its other keys.
func kindsOf(n *cfn.Node) (kinds []string, null bool) {
	null = openapi.IsTrue(n.Get("nullable")) || openapi.IsTrue(n.Get("x-nullable"))
	given := n.Get("type")
	words := openapi.ItemsOf(given)
	if given != nil && given.Kind == cfn.String {
		words = []*cfn.Node{given}
	}
	for _, word := range words {
		if word.Text == "null" {
			null = true
			continue
		}
		kinds = append(kinds, word.Text)
	}
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
	}
	switch {
	case len(words) > 0:
	case has("properties", "additionalProperties", "patternProperties", "required"):
		kinds = []string{"object"}
	case has("items", "prefixItems"):
		kinds = []string{"array"}
	}
	return kinds, null
}

// itemType is the type of the items of an array.
func (t *clientTypes) itemType(n *cfn.Node, p typePlace) scriptType {
	first := openapi.ItemsOf(n.Get("prefixItems"))
	types := make([]scriptType, 0, len(first)+1)
	for _, item := range first {
		types = append(types, t.typeOf(item, p.inner()))
	}
	return unionOf(append(types, t.typeOf(n.Get("items"), p.inner()))...)
}
