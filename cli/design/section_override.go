package design

import (
	"strings"

	"gatewright/cli/command"
	"gatewright/model"
	"gatewright/project/definition"
)

// override changes what one environment says otherwise about the section.
func (s *sectionUpdate) override(e *editing, from, introspection *object) error {
	of := model.Ref{Kind: model.KindEnvironment, Name: s.env}
	what := string(s.kind) + " of " + of.String()
	e.done, e.same = "updated "+what, what+" is so"
	env, err := command.NamedEnvironment(e.Backend, s.env)
	if err != nil {
		return err
	}
	var values map[string]any
	if s.remove {
		e.done, e.same = "removed "+what, what+" is gone"
	} else {
		have, err := overrides(s.kind, env)
		if err != nil {
			return err
		}
		if values, err = s.values(have, from, introspection); err != nil {
			return from.locate(err)
		}
	}
	next, err := definition.Override(*env, s.kind, values)
	if err == nil {
		err = e.UpdateEnvironment(next)
	}
	if err != nil {
		return from.locate(err)
	}
	e.guarded(s.guard, env, "update it")
	return nil
}

// overrides is what an environment says of a section.
func overrides(kind model.Kind, env *model.Environment) (map[string]any, error) {
	return definition.Of(&model.Backend{Environments: []*model.Environment{env}}, kind, env.Name)
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
