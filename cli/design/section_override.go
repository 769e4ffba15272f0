package design

import (
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
