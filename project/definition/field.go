// Package definition reads and edits the definitions of auth, data and storage field by field: how a person writes a
// value, what it means, where it comes from, and how it is set in a backend. Commands and screens share it.
package definition

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gatewright/model"
)

// Kinds are the sections of the client configuration file with a definition, in order.
var Kinds = []model.Kind{model.KindAuth, model.KindData, model.KindStorage}

// Field is a field of a section: a row of model.Section.
type Field struct {
	model.Field
	// Place is the path of keys from the section to the field.
	Place []string
	// Together says that the object around the field requires it.
	Together bool
}

// Fields lists the fields of a section in the order of model.Section, each object before its fields.
func Fields(kind model.Kind) []Field {
	var fields []Field
	var walk func(model.Field, []string)
	walk = func(of model.Field, above []string) {
		for _, f := range of.Fields {
			field := Field{Field: f, Place: append(slices.Clone(above), f.Name), Together: f.Required && above != nil}
			fields = append(fields, field)
			if f.Type == model.ObjectField {
				walk(f, field.Place)
			}
		}
	}
	walk(model.Section(kind), nil)
	return fields
}

// Leaf reports whether a line of text can be a value of the field.
func (f Field) Leaf() bool { return f.Type != model.ObjectField && f.Type != model.FreeField }

// String returns the field's name in sentences: password_policy.min_length.
func (f Field) String() string { return strings.Join(f.Place, ".") }

// Dashed returns the field's name with dashes only: password-policy-min-length.
func (f Field) Dashed() string {
	return strings.ReplaceAll(strings.Join(f.Place, "-"), "_", "-")
}

// Called finds a field by its name, which may have dashes, dots or slashes.
func Called(fields []Field, name string) (Field, bool) {
	written := strings.NewReplacer("_", "-", ".", "-", "/", "-").Replace(strings.TrimPrefix(name, "/"))
	for _, f := range fields {
		if f.Dashed() == written {
			return f, true
		}
	}
	return Field{}, false
}

// Takes lists the restrictions of the field's value, in words; none if any text is allowed.
func (f Field) Takes() []string {
	var parts []string
	switch {
	case f.Type == model.IntegerField:
		parts = append(parts, fmt.Sprintf("%d to %d", f.Min, f.Max))
	case f.Name == "api_key":
		parts = append(parts, "only "+model.APIKeyPlaceholder+", since the key itself stays out of the project's files")
	case f.Enum != nil && f.Type == model.ArrayField:
		parts = append(parts, "any of "+strings.Join(f.Enum, ", "))
	case f.Enum != nil:
		parts = append(parts, "one of "+strings.Join(f.Enum, ", "))
	}
	if f.Type == model.MapField {
		parts = append(parts, attributeForm)
	}
	if text := f.Field.Takes(); f.Type == model.StringField && text != "" {
		parts = append(parts, text)
	}
	if f.MinItems > 0 {
		parts = append(parts, fmt.Sprintf("at least %d", f.MinItems))
	}
	if f.Unique {
		parts = append(parts, "each once")
	}
	if f.Together {
		parts = append(parts, "required together with the other fields of "+f.Place[0])
	}
	return parts
}

// Parse reads a value of the field. A list has commas between its items, or is a JSON array, for items with commas.
// The error says what to give. Parse checks the type; Define checks the value.
func (f Field) Parse(text string) (any, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("give text in UTF-8")
	}
	switch f.Type {
	case model.BooleanField:
		if text != "true" && text != "false" {
			return nil, errors.New("give true or false")
		}
		return text == "true", nil
	case model.IntegerField:
		if n, err := strconv.Atoi(text); err == nil {
			return json.Number(strconv.Itoa(n)), nil
		}
		return nil, fmt.Errorf("give a whole number from %d to %d", f.Min, f.Max)
	case model.ArrayField:
		return parseItems(text)
	case model.MapField:
		return parseAttributes(text)
	case model.ObjectField, model.FreeField:
		return nil, errors.New("is an object; give its fields")
	}
	return text, nil
}

func parseItems(text string) ([]any, error) {
	items := []any{}
	switch {
	case text == "":
	case strings.HasPrefix(text, "["):
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			return nil, errors.New("begins like a JSON array but is not one; give items with commas between them")
		}
	default:
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, strings.TrimSpace(item))
		}
	}
	return items, nil
}

// Text returns a value as text that Parse reads.
func (f Field) Text(value any) string {
	if attributes, ok := value.(map[string]any); ok && f.Type == model.MapField {
		return attributesText(attributes)
	}
	items, list := value.([]any)
	if !list {
		if text, ok := value.(string); ok {
			return text
		}
		return jsonOf(value)
	}
	words := make([]string, len(items))
	for i, item := range items {
		word, ok := item.(string)
		if !ok || word == "" && len(items) == 1 || strings.ContainsAny(word, ",[") || strings.TrimSpace(word) != word {
			return jsonOf(value)
		}
		words[i] = word
	}
	return strings.Join(words, ", ")
}

func jsonOf(value any) string {
	if value == nil {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
