package design

import (
	"strings"

	"gatewright/cli/command"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project/definition"
)

// override changes the values that one environment has instead of the section's.
func (s *sectionUpdate) override(e *editing, from, introspection *object) error {
	of := model.Ref{Kind: model.KindEnvironment, Name: s.env}
	what := string(s.kind) + " in " + of.String()
	e.done, e.already = "updated "+what, what+" has these values"
	env, err := command.NamedEnvironment(e.Backend, s.env)
	if err != nil {
		return err
	}
	var values map[string]any
	if s.remove {
		e.done, e.already = "removed "+what, what+" is removed"
	} else {
		have, err := overridesOf(s.kind, env)
		if err != nil {
			return err
		}
		if values, err = s.values(have, from, introspection); err != nil {
			return from.locate(err)
		}
	}
	next, err := definition.Override(*env, s.kind, values)
	if err == nil {
		err = edit.UpdateEnvironment(e.Backend, next)
	}
	if err != nil {
		return from.locate(err)
	}
	e.confirm(s.guard, env, "update it")
	return nil
}

// overridesOf returns the values that an environment has instead of a section's.
func overridesOf(kind model.Kind, env *model.Environment) (map[string]any, error) {
	return definition.Of(&model.Backend{Environments: []*model.Environment{env}}, kind, env.Name)
}

// setOverrides sets values that an environment has instead of a section's, each given as
// FIELD=VALUE. An empty value removes the field.
func setOverrides(kind model.Kind, env *model.Environment, settings []string) error {
	if len(settings) == 0 {
		return nil
	}
	fields := sectionFields(kind)
	values, err := overridesOf(kind, env)
	if err != nil {
		return err
	}
	for _, text := range settings {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return command.Misuse("--%s takes FIELD=VALUE, not %s", kind, phrase.Quote(text))
		}
		f := fieldNamed(fields, name)
		switch {
		case f == nil:
			return unknownField(string(kind), kind, fields, name)
		case value == "":
			model.TakeAt(values, f.Place)
			continue
		case !f.Leaf():
			return command.Misuse("--%s: %s is an object; give it with: gatewright update %s --env ENV --%s FILE", kind,
				f.name(), kind, f.flag())
		}
		given, err := f.Parse(value)
		if err != nil {
			return command.Misuse("--%s: %s cannot be %s: %s", kind, f.name(), phrase.Quote(value), err)
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
