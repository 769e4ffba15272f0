package judgetest

import (
	"encoding/json"

	"pgregory.net/rapid"
)

// Plain draws a schema as people write them, which some value fits. It has references to its
// $defs, whose schemas may lead to themselves below an optional property or in a list.
func Plain(t *rapid.T) map[string]any {
	root := plainObject(t, 3)
	root["$defs"] = map[string]any{
		"a": map[string]any{
			"type": "object", "required": []string{"name"},
			"properties": map[string]any{
				"name": plainText(t), "next": map[string]any{"$ref": "#/$defs/a"},
				"all": map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/a"}},
			},
		},
		"b": plain(t, 1),
	}
	return root
}

func plain(t *rapid.T, depth int) map[string]any {
	kind := rapid.IntRange(0, 10)
	if depth == 0 {
		kind = rapid.IntRange(0, 4)
	}
	switch kind.Draw(t, "kind") {
	case 0:
		return map[string]any{"type": rapid.SampledFrom([]string{"boolean", "null", "string", "number"}).Draw(t, "type")}
	case 1:
		return plainText(t)
	case 2:
		return plainNumber(t)
	case 3:
		return map[string]any{"enum": []any{value(t, 1), value(t, 0)}}
	case 4:
		return map[string]any{"const": value(t, 1)}
	case 5, 6:
		return plainList(t, depth)
	case 7:
		both := []any{plainObject(t, depth-1), plainObject(t, depth-1)}
		return map[string]any{"allOf": both[:1], "description": "all"}
	case 8:
		choices := []any{plain(t, depth-1), plain(t, depth-1), plainText(t)}
		return map[string]any{rapid.SampledFrom([]string{"anyOf", "x-none"}).Draw(t, "choice"): choices}
	case 9:
		return map[string]any{"oneOf": []any{plainText(t), plainNumber(t), plainObject(t, depth-1)}}
	}
	return plainObject(t, depth)
}

func plainText(t *rapid.T) map[string]any {
	s := map[string]any{"type": "string"}
	switch rapid.IntRange(0, 3).Draw(t, "text") {
	case 0:
		s["format"] = rapid.SampledFrom([]string{
			"date", "date-time", "uuid", "email", "ipv4", "ipv6", "uri",
			"other",
		}).Draw(t, "format")
	case 1:
		s["pattern"] = rapid.SampledFrom([]string{
			"^[a-z]+$", `^\d{3}-\d{2}$`, "^(a|b)c?$", `^[^/\s]+$`, "^x", ".{4}", "^$",
			`^\+?[1-9]\d{1,14}$`, "[A-F0-9]{8}",
		}).Draw(t, "pattern")
	case 2:
		least := rapid.IntRange(0, 20).Draw(t, "minLength")
		s["minLength"], s["maxLength"] = least, least+counts.Draw(t, "more")
	}
	if rapid.IntRange(0, 4).Draw(t, "nullable") == 0 {
		s["type"] = []string{"string", "null"}
	}
	return s
}

func plainNumber(t *rapid.T) map[string]any {
	s := map[string]any{"type": rapid.SampledFrom([]string{"integer", "number"}).Draw(t, "type")}
	least := rapid.IntRange(-50, 50).Draw(t, "least")
	if rapid.Bool().Draw(t, "bounded") {
		s[rapid.SampledFrom([]string{"minimum", "exclusiveMinimum"}).Draw(t, "lower")] = least
	}
	if rapid.Bool().Draw(t, "limited") {
		s[rapid.SampledFrom([]string{"maximum", "exclusiveMaximum"}).Draw(t, "upper")] = least + 10
	}
	if rapid.Bool().Draw(t, "divided") {
		s["multipleOf"] = rapid.SampledFrom([]json.Number{"1", "2", "0.5", "0.01", "5"}).Draw(t, "multipleOf")
	}
	return s
}

func plainList(t *rapid.T, depth int) map[string]any {
	least := counts.Draw(t, "minItems")
	s := map[string]any{"type": "array", "minItems": least, "maxItems": least + counts.Draw(t, "more")}
	if rapid.Bool().Draw(t, "unique") {
		s["uniqueItems"] = true
		s["items"] = map[string]any{"type": rapid.SampledFrom([]string{"string", "integer", "number"}).Draw(t, "type")}
		return s
	}
	s["items"] = plain(t, depth-1)
	if rapid.IntRange(0, 3).Draw(t, "referring") == 0 {
		s["items"] = map[string]any{"$ref": "#/$defs/a"}
	}
	return s
}

func plainObject(t *rapid.T, depth int) map[string]any {
	if depth <= 0 {
		return map[string]any{"type": "object"}
	}
	properties := map[string]any{"ref": map[string]any{"$ref": "#/$defs/" +
		rapid.SampledFrom([]string{"a", "b"}).Draw(t, "reference")}}
	if depth < 2 {
		properties = map[string]any{"ref": map[string]any{"$ref": "#/$defs/a"}}
	}
	for range counts.Draw(t, "properties") {
		property := plain(t, depth-1)
		if way := rapid.SampledFrom([]string{"", "", "readOnly", "writeOnly"}).Draw(t, "way"); way != "" {
			property[way] = true
		}
		properties[names.Draw(t, "name")] = property
	}
	s := map[string]any{"type": "object", "properties": properties}
	if rapid.Bool().Draw(t, "requires") {
		s["required"] = distinct(t, names)
	}
	switch rapid.IntRange(0, 3).Draw(t, "more") {
	case 0:
		s["additionalProperties"] = plain(t, 0)
	case 1:
		s["minProperties"] = counts.Draw(t, "minProperties") + 1
	}
	return s
}
