package design

import (
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project/definition"
)

// plain are the fields without what the command line says.
func plain(fields []*sectionField) []definition.Field {
	all := make([]definition.Field, len(fields))
	for i, f := range fields {
		all[i] = f.Field
	}
	return all
}

// refuseLacking refuses an object that comes to lack fields.
func refuseLacking(kind model.Kind, before, after []definition.Field) error {
	had := make(map[string]bool)
	for _, f := range before {
		had[f.String()] = true
	}
	var flags []string
	for _, f := range after {
		if !had[f.String()] {
			flags = append(flags, "--"+f.Dashed())
		}
	}
	if flags == nil {
		return nil
	}
	object := after[0].Place[0]
	return &model.Problem{
		Of: model.Ref{Kind: kind}, Field: object, Text: model.Quote(object) + " lacks a part: its fields go together",
		Fix: "give " + strings.Join(flags, ", ") + " too, or --unset " + object,
	}
}

// overridden is an environment with fields set in what it says otherwise about a
// section, as FIELD=VALUE; an empty value takes the field away, and nil is left
// where nothing is.
func overridden(kind model.Kind, env *model.Environment, settings []string) error {
	if len(settings) == 0 {
		return nil
	}
	fields := sectionFields(kind)
	values, err := overrides(kind, env)
	if err != nil {
		return err
	}
	for _, text := range settings {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return command.Misuse("--%s takes FIELD=VALUE, not %s", kind, model.Quote(text))
		}
		f := fieldCalled(fields, name)
		switch {
		case f == nil:
			return unknownField(string(kind), kind, fields, name)
		case value == "":
			model.TakeAt(values, f.Place)
			continue
		case !f.Leaf():
			return command.Misuse("--%s: %s is an object; give it with: gatewright update %s --env ENV --%s FILE", kind, f.name(), kind, f.flag())
		}
		given, err := f.Parse(value)
		if err != nil {
			return command.Misuse("--%s: %s is %s; %s", kind, f.name(), model.Quote(value), err)
		}
		if err := definition.Put(kind, values, f.Field, given); err != nil {
			return err
		}
	}
	next, err := definition.Override(*env, kind, values)
	if err != nil {
		return err
	}
	*env = *next
	return nil
}
