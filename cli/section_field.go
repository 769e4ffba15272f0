package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// sectionField is a field of a section of the client configuration file, and a
// flag of the command that updates the section's definition.
type sectionField struct {
	model.Field
	// place is the way to it from the section.
	place []string
	// together says that its object must have it when it is there.
	together bool
	// given is what the command line says; arrays grow with each flag.
	given any
}

// sectionFields lists the fields of a section in the order of the specification,
// each object before what it holds.
func sectionFields(kind model.Kind) []*sectionField {
	section, _ := model.ClientFile.Field(string(kind))
	var fields []*sectionField
	var walk func(model.Field, []string)
	walk = func(of model.Field, above []string) {
		for _, f := range of.Fields {
			field := &sectionField{Field: f, place: append(slices.Clone(above), f.Name), together: f.Required && above != nil}
			fields = append(fields, field)
			if f.Type == model.ObjectField {
				walk(f, field.place)
			}
		}
	}
	walk(section, nil)
	return fields
}

// leaf reports whether the field has a value that a command line can give.
func (f *sectionField) leaf() bool {
	return f.Field.Type != model.ObjectField && f.Field.Type != model.FreeField
}

// flag is the field's flag: password-policy-min-length.
func (f *sectionField) flag() string {
	return strings.ReplaceAll(strings.Join(f.place, "-"), "_", "-")
}

// name is the field as a sentence names it: password_policy.min_length.
func (f *sectionField) name() string { return strings.Join(f.place, ".") }

// usage says what the field takes, from the table of the specification.
func (f *sectionField) usage() string {
	var parts []string
	switch {
	case f.Field.Type == model.IntegerField:
		parts = append(parts, fmt.Sprintf("%d to %d", f.Min, f.Max))
	case f.Name == "api_key":
		parts = append(parts, "only "+model.APIKeyPlaceholder+": the key itself stays out of the project's files")
	case f.Enum != nil && f.Field.Type == model.ArrayField:
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
	if f.together {
		parts = append(parts, "goes with all of "+f.place[0])
	}
	if parts == nil {
		return f.name()
	}
	return f.name() + ": " + strings.Join(parts, "; ")
}

// String is nothing: what the field has now is in the project.
func (f *sectionField) String() string { return "" }

// Type is what help calls the value.
func (f *sectionField) Type() string {
	switch f.Field.Type {
	case model.IntegerField:
		return "NUMBER"
	case model.BooleanField:
		return "bool"
	case model.ArrayField:
		return "LIST"
	}
	return "TEXT"
}

// Set reads the value that the command line gives.
func (f *sectionField) Set(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("give text in UTF-8")
	}
	value, err := f.parse(text)
	if err != nil {
		return err
	}
	have, again := f.given.([]any)
	if more, ok := value.([]any); ok && again {
		value = append(have, more...)
	}
	f.given = value
	return nil
}

// parse reads a value of the field. A list is written with commas between its
// items, or as a JSON array where an item has one.
func (f *sectionField) parse(text string) (any, error) {
	switch f.Field.Type {
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

// addTo adds the field's flag to a command.
func (f *sectionField) addTo(cmd *cobra.Command) {
	flag := cmd.Flags().VarPF(f, f.flag(), "", f.usage())
	words := f.Enum
	if f.Field.Type == model.BooleanField {
		flag.NoOptDefVal = "true"
		words = []string{"true", "false"}
	}
	if f.Name == "api_key" {
		words = []string{model.APIKeyPlaceholder}
	}
	complete := completeWords(words...)
	if f.Field.Type == model.ArrayField {
		complete = completeList(words)
	}
	_ = cmd.RegisterFlagCompletionFunc(f.flag(), complete)
}

// fieldCalled finds a field by any way of writing its name: that of its flag,
// or with dots or slashes.
func fieldCalled(fields []*sectionField, name string) *sectionField {
	written := strings.NewReplacer("_", "-", ".", "-", "/", "-").Replace(strings.TrimPrefix(name, "/"))
	for _, f := range fields {
		if f.flag() == written {
			return f
		}
	}
	return nil
}

// unknownField is the misuse of a field that a section does not have.
func unknownField(flag string, kind model.Kind, fields []*sectionField, name string) error {
	var names []string
	for _, f := range fields {
		names = append(names, f.name())
	}
	if near := model.Nearest(name, names); near != "" {
		return misuse("--%s: %s has no field %s; did you mean %s?", flag, kind, model.Quote(name), near)
	}
	return misuse("--%s: %s has no field %s; see: gatewright update %s --help", flag, kind, model.Quote(name), kind)
}

// completeFields completes FIELD=VALUE of a section.
func completeFields(kind model.Kind) cobra.CompletionFunc {
	var names []string
	for _, f := range sectionFields(kind) {
		if f.leaf() {
			names = append(names, f.name()+"=")
		}
	}
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return offered(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
