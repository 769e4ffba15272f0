package design

import (
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
	"gatewright/model"
	"gatewright/project/definition"
)

// sectionField is a field of a section of the client configuration file, as a flag.
type sectionField struct {
	definition.Field
	// given is the value of the flag, nil if it is not given. Each further flag extends an
	// array.
	given any
}

// sectionFields lists the fields of a section.
func sectionFields(kind model.Kind) []*sectionField {
	var fields []*sectionField
	for _, f := range definition.Fields(kind) {
		fields = append(fields, &sectionField{Field: f})
	}
	return fields
}

// flag returns the name of the field's flag: password-policy-min-length.
func (f *sectionField) flag() string { return f.Dashed() }

// name returns the field as messages write it: password_policy.min_length.
func (f *sectionField) name() string { return f.Field.String() }

// usage describes what values the field takes.
func (f *sectionField) usage() string {
	parts := f.Takes()
	if parts == nil {
		return f.name()
	}
	return f.name() + ": " + strings.Join(parts, "; ")
}

// String returns "", so that help shows no default: the present value is in the project.
func (f *sectionField) String() string { return "" }

// Type returns the word that help uses for the value.
func (f *sectionField) Type() string {
	switch f.Field.Field.Type {
	case model.IntegerField:
		return "NUMBER"
	case model.BooleanField:
		return "bool"
	case model.ArrayField, model.MapField:
		return "LIST"
	}
	return "TEXT"
}

// Set parses a value of the flag.
func (f *sectionField) Set(text string) error {
	value, err := f.Parse(text)
	if err != nil {
		return err
	}
	have, again := f.given.([]any)
	if more, ok := value.([]any); ok && again {
		value = append(have, more...)
	}
	if had, ok := f.given.(map[string]any); ok {
		maps.Copy(had, value.(map[string]any))
		value = had
	}
	f.given = value
	return nil
}

// addTo adds the field's flag to a command.
func (f *sectionField) addTo(cmd *cobra.Command) {
	flag := cmd.Flags().VarPF(f, f.flag(), "", f.usage())
	words := f.Enum
	if f.Field.Field.Type == model.BooleanField {
		flag.NoOptDefVal = "true"
		words = []string{"true", "false"}
	}
	if f.Name == "api_key" {
		words = []string{model.APIKeyPlaceholder}
	}
	complete := command.CompleteWords(words...)
	if f.Field.Field.Type == model.ArrayField {
		complete = command.CompleteList(words)
	}
	_ = cmd.RegisterFlagCompletionFunc(f.flag(), complete)
}

// fieldNamed finds a field by any spelling of its name; nil if there is none.
func fieldNamed(fields []*sectionField, name string) *sectionField {
	for _, f := range fields {
		if _, called := definition.Called([]definition.Field{f.Field}, name); called {
			return f
		}
	}
	return nil
}

// unknownField is the error of a field that a section does not have.
func unknownField(flag string, kind model.Kind, fields []*sectionField, name string) error {
	var names []string
	for _, f := range fields {
		names = append(names, f.name())
	}
	if near := spelling.Nearest(name, names); near != "" {
		return command.Misuse("--%s: %s has no field %s; did you mean %s?", flag, kind, phrase.Quote(name), near)
	}
	return command.Misuse("--%s: %s has no field %s; see: gatewright update %s --help", flag, kind,
		phrase.Quote(name), kind)
}

// completeFields completes FIELD= of a section.
func completeFields(kind model.Kind) cobra.CompletionFunc {
	var names []string
	for _, f := range sectionFields(kind) {
		if f.Leaf() {
			names = append(names, f.name()+"=")
		}
	}
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return command.Offered(names, typed), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
