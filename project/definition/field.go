// Package definition has the fields of the definitions behind the sections auth,
// data and storage of the client configuration file: how a person writes a value,
// what it means, and how it comes into a backend. Commands and screens share it.
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

// Kinds are the sections that a definition stands behind, in their order.
var Kinds = []model.Kind{model.KindAuth, model.KindData, model.KindStorage}

// Field is a field of a section: a row of model.ClientFile.
type Field struct {
	model.Field
	// Place is the way to it from the section.
	Place []string
	// Together says that its object must have it when it is there.
	Together bool
}

// Fields lists the fields of a section in the order of the specification, each
// object before what it holds.
func Fields(kind model.Kind) []Field {
	section, _ := model.ClientFile.Field(string(kind))
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
	walk(section, nil)
	return fields
}

// Leaf reports whether the field has a value that one line of text can give.
func (f Field) Leaf() bool { return f.Type != model.ObjectField && f.Type != model.FreeField }

// String is the field as a sentence names it: password_policy.min_length.
func (f Field) String() string { return strings.Join(f.Place, ".") }

// Dashed is the field with dashes only: password-policy-min-length.
func (f Field) Dashed() string {
	return strings.ReplaceAll(strings.Join(f.Place, "-"), "_", "-")
}

// Called finds a field by any way of writing its name: with dashes, dots or
// slashes.
func Called(fields []Field, name string) (Field, bool) {
	written := strings.NewReplacer("_", "-", ".", "-", "/", "-").Replace(strings.TrimPrefix(name, "/"))
	for _, f := range fields {
		if f.Dashed() == written {
			return f, true
		}
	}
	return Field{}, false
}

// Takes says what the field takes, from the table of the specification; nothing
// where any text will do.
func (f Field) Takes() []string {
	var parts []string
	switch {
	case f.Type == model.IntegerField:
		parts = append(parts, fmt.Sprintf("%d to %d", f.Min, f.Max))
	case f.Name == "api_key":
		parts = append(parts, "only "+model.APIKeyPlaceholder+": the key itself stays out of the project's files")
	case f.Enum != nil && f.Type == model.ArrayField:
		parts = append(parts, "any of "+strings.Join(f.Enum, ", "))
	case f.Enum != nil:
		parts = append(parts, "one of "+strings.Join(f.Enum, ", "))
	}
	if f.MinItems > 0 {
		parts = append(parts, fmt.Sprintf("at least %d", f.MinItems))
	}
	if f.Unique {
		parts = append(parts, "each once")
	}
	if f.Together {
		parts = append(parts, "goes with all of "+f.Place[0])
	}
	return parts
}

// Parse reads a value of the field. A list is written with commas between its
// items, or as a JSON array where an item has one. The error says what to give;
// which values are allowed Define says.
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
	case model.ObjectField, model.FreeField, model.MapField:
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
			return nil, errors.New("begins as a JSON array and is none")
		}
	default:
		for item := range strings.SplitSeq(text, ",") {
			items = append(items, strings.TrimSpace(item))
		}
	}
	return items, nil
}

// Text is a value as Parse reads it again.
func (f Field) Text(value any) string {
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
