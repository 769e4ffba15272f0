package model_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/model/edit"
	"gatewright/model/modeltest"
	"gatewright/schemas"
)

// TestClientFileAgreesWithItsSchema draws files by the fields of ClientFile, most of them
// with errors, and compares the verdict of the model with that of the published schema.
func TestClientFileAgreesWithItsSchema(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		file := drawField(t, model.ClientFile).(map[string]any)
		delete(file, "$schema")
		file["version"] = "1"
		text, err := json.Marshal(file)
		modeltest.NoError(t, err)
		problems, err := schemas.Validate("client-config", text)
		modeltest.NoError(t, err)
		values, err := model.ParseOutputs(text)
		modeltest.NoError(t, err)
		b := &model.Backend{}
		refused := edit.AddOutput(b, values)
		if refused == nil {
			var content clientfile.Content
			if content, refused = clientfile.Of(b, nil, nil); len(content.Waiting) > 0 {
				refused = fmt.Errorf("left out: %v", content.Waiting)
			}
		}
		if (refused == nil) != (len(problems) == 0) {
			t.Fatalf("%s\nmodel: %v\nschema: %v", text, refused, problems)
		}
	})
}

// drawField draws a value for a field, sometimes a wrong one.
func drawField(t *rapid.T, f model.Field) any {
	if f.Name != "" && rapid.IntRange(0, 60).Draw(t, "wrong") == 0 {
		return rapid.SampledFrom([]any{nil, true, "true", "x", 7, 7.5, -1, []any{}, []any{1}, []any{"x", "x"}, map[string]any{}, map[string]any{"x": 1}}).Draw(t, "value")
	}
	word := func() any {
		if f.Enum != nil && rapid.IntRange(0, 40).Draw(t, "unknown word") > 0 {
			return rapid.SampledFrom(f.Enum).Draw(t, "word")
		}
		return rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "text")
	}
	switch f.Type {
	case model.StringField:
		return word()
	case model.IntegerField:
		return rapid.IntRange(f.Min-2, f.Max+2).Draw(t, "number")
	case model.BooleanField:
		return rapid.Bool().Draw(t, "truth")
	case model.ArrayField:
		items := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, word())
		}
		if f.Unique && rapid.IntRange(0, 10).Draw(t, "repeat") > 0 {
			slices.SortFunc(items, func(a, b any) int { return slices.Compare([]string{a.(string)}, []string{b.(string)}) })
			items = slices.Compact(items)
		}
		return items
	case model.FreeField:
		return map[string]any{"anything": []any{1, nil}}
	case model.MapField:
		return map[string]any{"one": drawField(t, model.Field{Name: "item", Type: model.ObjectField, Fields: f.Fields})}
	}
	members := make(map[string]any)
	for _, g := range f.Fields {
		if g.Required && rapid.IntRange(0, 40).Draw(t, "left out") > 0 || rapid.IntRange(0, 2).Draw(t, "given") == 0 {
			members[g.Name] = drawField(t, g)
		}
	}
	if rapid.IntRange(0, 60).Draw(t, "stray") == 0 {
		maps.Copy(members, map[string]any{rapid.SampledFrom([]string{"aws_region", "app_id", "x", "items"}).Draw(t, "stray key"): "x"})
	}
	return members
}
