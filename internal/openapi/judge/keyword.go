package judge

import (
	"gatewright/internal/cfn"
	"gatewright/internal/openapi"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/prose"
)

// reading is a keyword of a schema while its rule is made.
type reading struct {
	*Rules
	schema *Schema
	// node is the schema, and value what the keyword has.
	node, value *cfn.Node
}

// keywords are the keywords that are judged, and some of which is said that they are not. Each
// makes a rule, or nil if the keyword asks for nothing.
var keywords = map[string]func(k *reading) rule{
	"type": readType, "nullable": readNullable, "x-nullable": readNullable,
	"enum": readEnum, "const": readConst, "format": readFormat,

	"minimum": limitOf(-1, "exclusiveMinimum"), "maximum": limitOf(1, "exclusiveMaximum"),
	"exclusiveMinimum": limitOf(-1, ""), "exclusiveMaximum": limitOf(1, ""), "multipleOf": readMultipleOf,
	"minLength": readMinLength, "maxLength": readMaxLength, "pattern": readPattern,

	"items": readItems, "prefixItems": readPrefixItems, "contains": readContains,
	"minItems": readMinItems, "maxItems": readMaxItems, "uniqueItems": readUniqueItems,

	"required": readRequired, "properties": readProperties, "patternProperties": readPatternProperties,
	"additionalProperties": readAdditionalProperties, "propertyNames": readPropertyNames,
	"minProperties": readMinProperties, "maxProperties": readMaxProperties,
	"dependentRequired": readDependentRequired, "dependentSchemas": readDependentSchemas,

	"allOf": readAllOf, "anyOf": readAnyOf, "oneOf": readOneOf, "not": readNot, "if": readIf,

	"unevaluatedProperties": readUnjudged, "unevaluatedItems": readUnjudged, "$dynamicRef": readUnjudged,
}

func readUnjudged(k *reading) rule {
	k.omit(k.value, "the keyword is not judged")
	return nil
}

// newer says that the document has JSON Schema as it is, as from OpenAPI 3.1 on.
func (k *reading) newer() bool { return k.siblings }

// readType makes one rule of type and nullable.
func readType(k *reading) rule {
	var kinds Kinds
	names := []*cfn.Node{k.value}
	if k.value.Kind == cfn.List {
		names = k.value.Items
	}
	for _, name := range names {
		kind := KindNamed(name.Text)
		// A type that JSON Schema does not have is one of OpenAPI 2.0: file.
		if kind == 0 && name.Kind != cfn.Null {
			return nil
		}
		if name.Kind == cfn.Null {
			kind = Null
		}
		kinds |= kind
	}
	if !k.newer() && (openapi.IsTrue(k.node.Get("nullable")) || openapi.IsTrue(k.node.Get("x-nullable"))) {
		kinds |= Null
	}
	accepted := kinds
	if kinds&Number != 0 {
		accepted |= Integer
		kinds &^= Integer
	}
	k.schema.kinds &= accepted
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if !r.spend(len(v.Text) / textStep) {
			return
		}
		if is := KindsOf(v); is&accepted == 0 {
			r.add(v.Pointer, at, otherKind, "is %s and not %s", is, kinds)
		}
	}
}

// nullable has no meaning without type: https://spec.openapis.org/oas/v3.0.3.html#fixed-fields-19
func readNullable(*reading) rule { return nil }

func readEnum(k *reading) rule {
	if k.value.Kind != cfn.List {
		return nil
	}
	values := make(map[string]bool, len(k.value.Items))
	for _, item := range k.value.Items {
		values[Canonical(item)] = true
	}
	at := k.value
	return func(r *Run, v *cfn.Node) {
		if r.spend(size(v)) && !values[Canonical(v)] {
			r.oneOfEnum(v, at)
		}
	}
}

// oneOfEnum adds the fault of a value that is none of the values of an enum.
func (r *Run) oneOfEnum(v, at *cfn.Node) {
	var weight uint8
	if len(at.Items) == 1 {
		weight = otherConstant
	}
	if r.quiet {
		r.add(v.Pointer, at, weight, "")
		return
	}
	// Of a long list, only the beginning is shown.
	values := make([]string, len(at.Items))
	for i, item := range at.Items[:min(len(values), 10)] {
		values[i] = shown(item)
	}
	if len(values) == 1 {
		r.add(v.Pointer, at, weight, "is not %s", values[0])
		return
	}
	r.add(v.Pointer, at, weight, "is none of %s", phrase.List(values))
}

// shown writes a value of a document for a message: as JSON, printable and short.
func shown(v *cfn.Node) string {
	if v.Kind == cfn.String {
		return phrase.Escape(cut(v.Text))
	}
	return prose.Printable(cut(string(v.Minified())))
}

// cut shortens a text to a few words.
func cut(text string) string {
	const most = 40
	for i := range text {
		if i > most {
			return text[:i] + "…"
		}
	}
	return text
}

func readConst(k *reading) rule {
	constant, at := Canonical(k.value), k.value
	return func(r *Run, v *cfn.Node) {
		if r.spend(size(v)) && Canonical(v) != constant {
			r.add(v.Pointer, at, otherConstant, "is not %s", shown(at))
		}
	}
}
