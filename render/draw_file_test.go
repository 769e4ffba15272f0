package render_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/schemas"
)

// drawFile draws a valid client configuration file in the neutral dialect.
func drawFile(t *rapid.T) model.Outputs {
	values, _ := drawField(t, model.ClientFile).(map[string]any)
	delete(values, "$schema")
	return values
}

func drawField(t *rapid.T, f model.Field) any {
	word := rapid.SampledFrom([]string{"", "a", "eu-west-1", "GOOGLE", "PROVIDER_A", "aws_region", "cloud_region", "é\u2028", "'''"})
	if f.Enum != nil {
		word = rapid.SampledFrom(f.Enum)
	}
	switch f.Type {
	case model.IntegerField:
		return json.Number(fmt.Sprint(rapid.IntRange(f.Min, f.Max).Draw(t, f.Name)))
	case model.BooleanField:
		return rapid.Bool().Draw(t, f.Name)
	case model.FreeField:
		return drawValues(t)
	case model.ArrayField:
		items := rapid.SliceOfN(word, f.MinItems, 4).Draw(t, f.Name)
		if f.Unique {
			items = slices.Compact(slices.Sorted(slices.Values(items)))
		}
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = item
		}
		return list
	case model.MapField:
		entries := make(map[string]any)
		for _, name := range rapid.SliceOfN(word, 0, 3).Draw(t, f.Name) {
			entries[name] = drawMembers(t, f.Fields)
		}
		return entries
	case model.ObjectField:
		return drawMembers(t, f.Fields)
	}
	return word.Draw(t, f.Name)
}

func drawMembers(t *rapid.T, fields []model.Field) map[string]any {
	members := make(map[string]any)
	for _, f := range fields {
		if f.Required || rapid.Bool().Draw(t, "has "+f.Name) {
			members[f.Name] = drawField(t, f)
		}
	}
	return members
}

// drawValues draws any object.
func drawValues(t *rapid.T) map[string]any {
	values, err := model.ParseOutputs([]byte(drawObject(t, 3)))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// drawDamage draws a file with wrong members and values in random places.
func drawDamage(t *rapid.T, value any) any {
	object, ok := value.(map[string]any)
	if !ok || rapid.IntRange(0, 5).Draw(t, "here") == 0 {
		return drawValue(t)
	}
	object = maps.Clone(object)
	if len(object) > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(object))).Draw(t, "below")
		object[name] = drawDamage(t, object[name])
		return object
	}
	if name := drawName(t); rapid.Bool().Draw(t, "add") {
		object[name] = drawValue(t)
	} else {
		delete(object, name)
	}
	return object
}

func drawName(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		"x", "aws_region", "cloud_region", "bucket_name", "buckets", "groups", "passwordless", "mfa_methods", "amazon_connect", "custom", "url",
		"user_pool_id", "version", "identity_providers", "default", "items", "channels", "a/b~c",
	}).Draw(t, "name")
}

func drawValue(t *rapid.T) any {
	if rapid.Bool().Draw(t, "listed") {
		text := rapid.SampledFrom([]string{`"EMAIL"`, `["EMAIL", "SMS", "SMS"]`, `[1]`, `[]`, `{}`, `[{"name": "a", "paths": {"b": {}}}]`, `"1.4"`, `"GOOGLE"`, `99.0`, `1e400`, `{"items": {"m": 1}}`}).Draw(t, "value")
		return drawnJSON(t, text)
	}
	return drawnJSON(t, drawJSON(t, 4))
}

func drawnJSON(t *rapid.T, text string) any {
	values, err := model.ParseOutputs([]byte(`{"value": ` + text + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return values["value"]
}

// schemaIn returns the schema of version 1 in a dialect.
func schemaIn(dialect model.Dialect) string {
	if dialect == model.Amplify {
		return "client-config-amplify"
	}
	return "client-config"
}

func mustBeValid(t failer, schema string, text []byte) {
	t.Helper()
	problems, err := schemas.Validate(schema, text)
	if err != nil || len(problems) > 0 {
		t.Fatalf("by %s: %v, %v in\n%s", schema, problems, err, text)
	}
}

func parsed(t testing.TB, text string) model.Outputs {
	t.Helper()
	values, err := model.ParseOutputs([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func jsonText(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
