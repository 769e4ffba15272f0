// Package judgetest draws schemas and values for tests.
package judgetest

import (
	"encoding/json"
	"maps"
	"slices"

	"pgregory.net/rapid"
)

// The names and numbers are few, so that schemas and values meet.
var (
	names    = rapid.SampledFrom([]string{"a", "b", "c", "x-1"})
	numbers  = rapid.SampledFrom([]json.Number{"0", "1", "2", "-1", "1.0", "1.5", "3", "10", "0.1"})
	texts    = rapid.SampledFrom([]string{"", "a", "ab", "ä", "abc", "2020-01-01", "1"})
	counts   = rapid.IntRange(0, 3)
	types    = rapid.SampledFrom([]string{"null", "boolean", "integer", "number", "string", "array", "object"})
	patterns = rapid.SampledFrom([]string{"^a", "b$", "^[a-c]+$", "^x-", "."})
)

// Value draws a value of JSON that is nested a few times.
func Value(t *rapid.T) any { return value(t, 3) }

func value(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 6)
	if depth == 0 {
		kind = rapid.IntRange(0, 4)
	}
	switch kind.Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2, 3:
		return numbers.Draw(t, "number")
	case 4:
		return texts.Draw(t, "text")
	case 5:
		list := make([]any, counts.Draw(t, "items"))
		for i := range list {
			list[i] = value(t, depth-1)
		}
		return list
	}
	object := make(map[string]any)
	for range counts.Draw(t, "members") {
		object[names.Draw(t, "name")] = value(t, depth-1)
	}
	return object
}

// Schema draws a schema of JSON Schema 2020-12 that may be the root of a document. It has references to its
// $defs, which lead to themselves only for a part of a value: JSON Schema does not say what else would mean
// (https://json-schema.org/draft/2020-12/json-schema-core#section-9.4.1).
func Schema(t *rapid.T) map[string]any {
	root := object(t, 3, true)
	definitions := make(map[string]any)
	for _, name := range []string{"a", "b"} {
		definitions[name] = schema(t, 2, false)
	}
	root["$defs"] = definitions
	return root
}

// schema draws a schema, which may be a reference if that is said.
func schema(t *rapid.T, depth int, refers bool) any {
	switch form := rapid.IntRange(0, 12).Draw(t, "form"); {
	case form == 0:
		return rapid.Bool().Draw(t, "any")
	case form == 1 && refers:
		return map[string]any{"$ref": "#/$defs/" + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "reference")}
	}
	return object(t, depth, refers)
}

func schemas(t *rapid.T, depth int, refers bool) []any {
	list := make([]any, rapid.IntRange(1, 3).Draw(t, "schemas"))
	for i := range list {
		list[i] = schema(t, depth, refers)
	}
	return list
}

func named(t *rapid.T, depth int, refers bool, name *rapid.Generator[string]) map[string]any {
	all := make(map[string]any)
	for range counts.Draw(t, "named") {
		all[name.Draw(t, "name")] = schema(t, depth, refers)
	}
	return all
}

func distinct(t *rapid.T, from *rapid.Generator[string]) []string {
	return rapid.SliceOfNDistinct(from, 1, 3, rapid.ID).Draw(t, "distinct")
}

// object draws a schema that is a map.
func object(t *rapid.T, depth int, refers bool) map[string]any {
	s := make(map[string]any)
	if rapid.IntRange(0, 3).Draw(t, "typed") > 0 {
		s["type"] = types.Draw(t, "type")
		if rapid.IntRange(0, 4).Draw(t, "several") == 0 {
			s["type"] = distinct(t, types)
		}
	}
	simple := map[string]func() any{
		"enum":              func() any { return []any{value(t, 1), value(t, 1), value(t, 0)} },
		"const":             func() any { return value(t, 1) },
		"minimum":           func() any { return numbers.Draw(t, "minimum") },
		"maximum":           func() any { return numbers.Draw(t, "maximum") },
		"exclusiveMinimum":  func() any { return numbers.Draw(t, "exclusiveMinimum") },
		"exclusiveMaximum":  func() any { return numbers.Draw(t, "exclusiveMaximum") },
		"multipleOf":        func() any { return rapid.SampledFrom([]json.Number{"2", "0.5", "3"}).Draw(t, "multipleOf") },
		"minLength":         func() any { return counts.Draw(t, "minLength") },
		"maxLength":         func() any { return counts.Draw(t, "maxLength") },
		"pattern":           func() any { return patterns.Draw(t, "pattern") },
		"minItems":          func() any { return counts.Draw(t, "minItems") },
		"maxItems":          func() any { return counts.Draw(t, "maxItems") },
		"uniqueItems":       func() any { return rapid.Bool().Draw(t, "uniqueItems") },
		"minContains":       func() any { return counts.Draw(t, "minContains") },
		"maxContains":       func() any { return counts.Draw(t, "maxContains") },
		"required":          func() any { return distinct(t, names) },
		"minProperties":     func() any { return counts.Draw(t, "minProperties") },
		"maxProperties":     func() any { return counts.Draw(t, "maxProperties") },
		"dependentRequired": func() any { return map[string]any{names.Draw(t, "if"): distinct(t, names)} },
	}
	nested := map[string]func() any{
		"items":                func() any { return schema(t, depth-1, true) },
		"prefixItems":          func() any { return schemas(t, depth-1, true) },
		"contains":             func() any { return schema(t, depth-1, true) },
		"properties":           func() any { return named(t, depth-1, true, names) },
		"patternProperties":    func() any { return named(t, depth-1, true, patterns) },
		"additionalProperties": func() any { return schema(t, depth-1, true) },
		"propertyNames":        func() any { return schema(t, 0, true) },
		"dependentSchemas":     func() any { return named(t, depth-1, refers, names) },
		"allOf":                func() any { return schemas(t, depth-1, refers) },
		"anyOf":                func() any { return schemas(t, depth-1, refers) },
		"oneOf":                func() any { return schemas(t, depth-1, refers) },
		"not":                  func() any { return schema(t, depth-1, refers) },
		"if":                   func() any { return schema(t, depth-1, refers) },
		"then":                 func() any { return schema(t, depth-1, refers) },
		"else":                 func() any { return schema(t, depth-1, refers) },
	}
	draw(t, s, simple, 3)
	if depth > 0 {
		draw(t, s, nested, 3)
	}
	return s
}

// draw adds a few of the keywords to a schema.
func draw(t *rapid.T, s map[string]any, keywords map[string]func() any, most int) {
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(keywords))), 0, most,
		rapid.ID).Draw(t, "keywords") {
		s[name] = keywords[name]()
	}
}
