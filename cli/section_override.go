package cli

import "gatewright/model"

// override changes what one environment says otherwise about the section.
func (s *sectionUpdate) override(e *editing, from, introspection *object) error {
	of := model.Ref{Kind: model.KindEnvironment, Name: s.env}
	what := string(s.kind) + " of " + of.String()
	e.done, e.same = "updated "+what, what+" is so"
	env, err := e.environment(s.env)
	if err != nil {
		return err
	}
	next := *env
	switch {
	case s.remove:
		e.done, e.same = "removed "+what, what+" is gone"
		err = s.setOverride(&next, nil)
	default:
		var have, values map[string]any
		if have, err = definedValues(s.overrides(env)); err != nil {
			return err
		}
		if values, err = s.values(have, from, introspection); err == nil {
			err = s.setOverride(&next, values)
		}
	}
	if err == nil {
		err = e.UpdateEnvironment(&next)
	}
	if err != nil {
		return from.locate(err)
	}
	e.guarded(s.guard, env, "update it")
	return nil
}

// overrides is what an environment says of the section.
func (s *sectionUpdate) overrides(env *model.Environment) any {
	if s.kind == model.KindData {
		return env.Data
	}
	return env.Storage
}

// setOverride sets what an environment says of the section; no values are no
// override.
func (s *sectionUpdate) setOverride(env *model.Environment, values map[string]any) error {
	var err error
	switch {
	case len(values) == 0 && s.kind == model.KindData:
		env.Data = nil
	case len(values) == 0:
		env.Storage = nil
	case s.kind == model.KindData:
		env.Data, err = into[model.Data](s.kind, values)
	default:
		env.Storage, err = into[model.Storage](s.kind, values)
	}
	return err
}
