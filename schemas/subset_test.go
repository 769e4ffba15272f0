package schemas

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// engineKeywords are keywords for which the engine gives the right verdicts. Others are
// wrong: it accepts fields that additionalProperties forbids, for example.
var engineKeywords = []string{
	"type", "const", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern",
	"minItems", "maxItems", "required", "anyOf", "properties", "propertyNames",
}

// publishedKeywords are the other keywords of published schemas.
var publishedKeywords = append([]string{
	"$schema", "$id", "$ref", "$defs", "title", "description", "default", "examples", "writeOnly",
	"items", "patternProperties", "uniqueItems", "additionalProperties",
}, engineKeywords...)

// eachSchema visits a schema and its subschemas.
func eachSchema(at string, schema map[string]any, visit func(at string, schema map[string]any)) {
	visit(at, schema)
	for _, keyword := range []string{"properties", "patternProperties", "$defs"} {
		children, _ := schema[keyword].(map[string]any)
		for name, child := range children {
			eachSchema(at+"/"+keyword+"/"+name, child.(map[string]any), visit)
		}
	}
	for _, keyword := range []string{"items", "propertyNames"} {
		if child, is := schema[keyword].(map[string]any); is {
			eachSchema(at+"/"+keyword, child, visit)
		}
	}
}

func eachPublished(t *testing.T, visit func(at string, schema map[string]any)) {
	t.Helper()
	for _, name := range Names() {
		text, err := Source(name)
		if err != nil {
			t.Fatal(err)
		}
		eachSchema(name, decode(t, text).(map[string]any), visit)
	}
}

func TestPublishedSchemasKeepToTheirSubset(t *testing.T) {
	t.Parallel()
	eachPublished(t, func(at string, schema map[string]any) {
		for keyword, value := range schema {
			if !slices.Contains(publishedKeywords, keyword) {
				t.Errorf("%s: keyword %q is outside the subset", at, keyword)
			}
			if keyword == "enum" && len(value.([]any)) == 0 {
				t.Errorf("%s: an empty enum makes the engine panic", at)
			}
		}
		if schema["type"] == "boolean" || schema["type"] == "number" {
			t.Errorf("%s: the engine judges type %s wrongly", at, schema["type"])
		}
		if reference, is := schema["$ref"].(string); is {
			if !strings.HasPrefix(reference, "#/$defs/") {
				t.Errorf("%s: reference %q is not to $defs", at, reference)
			}
			for keyword := range schema {
				if keyword != "$ref" && keyword != "description" {
					t.Errorf("%s: %q beside a reference is ignored", at, keyword)
				}
			}
		}
		for _, bound := range []string{"minimum", "maximum"} {
			if value, is := schema[bound].(json.Number); is && math.Abs(number(value).float()) >= farthest {
				t.Errorf("%s: %s %s is beyond farthest", at, bound, value)
			}
		}
		if maps, is := schema["patternProperties"].(map[string]any); is {
			if _, all := maps[""]; !all || len(maps) != 1 || schema["properties"] != nil {
				t.Errorf("%s: a map has one rule for all of its values and no fields", at)
			}
		}
	})
}

func TestTheEngineSeesNothingOutsideTheSafeSubset(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		root, err := compiledRule(name)
		if err != nil {
			t.Fatal(err)
		}
		eachRule(root, make(map[*rule]bool), func(r *rule) {
			seen := decode(t, encode(t, newEngineSchema(r))).(map[string]any)
			eachSchema(name, seen, func(at string, schema map[string]any) {
				for keyword := range schema {
					if !slices.Contains(engineKeywords, keyword) {
						t.Errorf("%s: the engine sees %q", at, keyword)
					}
				}
			})
		})
	}
}

func TestAClosedObjectNamesItsFieldsInAllThreePlaces(t *testing.T) {
	t.Parallel()
	eachPublished(t, func(at string, schema map[string]any) {
		names, _ := schema["propertyNames"].(map[string]any)
		listed, closed := names["enum"].([]any)
		if (schema["additionalProperties"] != nil) != closed {
			t.Errorf("%s: additionalProperties and propertyNames do not agree", at)
		}
		if !closed {
			return
		}
		if schema["additionalProperties"] != false || schema["type"] != "object" {
			t.Errorf("%s: type %v, additionalProperties %v", at, schema["type"], schema["additionalProperties"])
		}
		var fields, enum []string
		for field := range schema["properties"].(map[string]any) {
			fields = append(fields, field)
		}
		for _, field := range listed {
			enum = append(enum, field.(string))
		}
		slices.Sort(fields)
		slices.Sort(enum)
		if diff := cmp.Diff(fields, enum); diff != "" {
			t.Errorf("%s: properties and propertyNames differ\n%s", at, diff)
		}
	})
}

func TestEveryRequiredFieldIsAField(t *testing.T) {
	t.Parallel()
	eachPublished(t, func(at string, schema map[string]any) {
		required, _ := schema["required"].([]any)
		sets, _ := schema["anyOf"].([]any)
		for _, set := range sets {
			required = append(required, set.(map[string]any)["required"].([]any)...)
		}
		for _, field := range required {
			if fields, _ := schema["properties"].(map[string]any); fields[field.(string)] == nil {
				t.Errorf("%s: requires %q, which is no field", at, field)
			}
		}
	})
}

func TestEveryFieldIsDescribed(t *testing.T) {
	t.Parallel()
	eachPublished(t, func(at string, schema map[string]any) {
		fields, _ := schema["properties"].(map[string]any)
		for name, field := range fields {
			if field.(map[string]any)["description"] == nil {
				t.Errorf("%s: field %q has no description", at, name)
			}
		}
	})
}

// The assumptions of validate.go and explain.go about every rule.
func TestRulesAreAsValidationAssumes(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		root, err := compiledRule(name)
		if err != nil {
			t.Fatal(err)
		}
		if root.Type != "object" {
			t.Errorf("%s: the root is of type %q", name, root.Type)
		}
		eachRule(root, make(map[*rule]bool), func(r *rule) {
			switch {
			case (r.Type == "array") != (r.Items != nil):
				t.Errorf("%s: type %q, but entries follow %v", name, r.Type, r.Items)
			case r.UniqueItems && r.Items.Type != "string":
				t.Errorf("%s: only strings are compared for being unique, not %q", name, r.Items.Type)
			case r.PropertyNames != nil && r.PropertyNames.Enum == nil && r.PropertyNames.pattern == nil:
				t.Errorf("%s: propertyNames has neither enum nor pattern", name)
			case r.AnyOf != nil && (len(r.AnyOf) < 2 || slices.ContainsFunc(r.AnyOf, func(c choice) bool { return len(c.Required) == 0 })):
				t.Errorf("%s: a choice of %v", name, r.AnyOf)
			case r.Enum != nil && r.Type != "string" && !r.boolean() && r.Type != "":
				t.Errorf("%s: an enum of type %q", name, r.Type)
			}
		})
	}
}

// Messages are made of the description and the first example of a pattern.
func TestEveryPatternIsDescribedAndItsExamplesMatch(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		root, err := compiledRule(name)
		if err != nil {
			t.Fatal(err)
		}
		patterns := 0
		eachRule(root, make(map[*rule]bool), func(r *rule) {
			if r.pattern == nil {
				return
			}
			patterns++
			if r.Description == "" || len(r.Examples) == 0 {
				t.Errorf("%s: pattern %s: description %q, examples %v", name, r.Pattern, r.Description, r.Examples)
			}
			for _, example := range r.Examples {
				if r.fault(example) != nil {
					t.Errorf("%s: pattern %s does not fit its example %v", name, r.Pattern, example)
				}
			}
		})
		if name == "function" && patterns == 0 {
			t.Error("no pattern was found in the schema of a function")
		}
	}
}

func eachRule(r *rule, seen map[*rule]bool, visit func(*rule)) {
	if r == nil || seen[r] {
		return
	}
	seen[r] = true
	visit(r)
	for _, child := range r.Properties {
		eachRule(child, seen, visit)
	}
	for _, child := range []*rule{r.values(), r.Items, r.PropertyNames} {
		eachRule(child, seen, visit)
	}
}

func TestASchemaOutsideTheSubsetDoesNotCompile(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text string }{
		{"unknown keyword", `{"contains": {}}`},
		{"unknown definition", `{"properties": {"a": {"$ref": "#/$defs/b"}}}`},
		{"bad pattern", `{"type": "string", "pattern": "("}`},
		{"bad type", `{"type": "text"}`},
		{"no JSON", `{`},
	}
	for _, test := range tests {
		if _, err := parseRule([]byte(test.text)); err == nil {
			t.Errorf("%s: %s compiles", test.name, test.text)
		}
	}
}
