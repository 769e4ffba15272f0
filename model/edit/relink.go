package edit

import (
	"slices"
	"strings"

	"gatewright/model"
	"gatewright/model/access"
)

// unlink removes every reference to a thing.
func unlink(b *model.Backend, of model.Ref) { references(b, of, nil) }

// relink replaces the name in every reference to a thing.
func relink(b *model.Backend, of model.Ref, to string) { references(b, of, &to) }

// references rewrites every reference to a thing to the new name, or removes it if to is nil.
// Only things with a reference are copied.
func references(b *model.Backend, of model.Ref, to *string) {
	resource := string(of.Kind) + "/" + of.Name
	b.Functions = model.Mapped(b.Functions, func(f *model.Function) *model.Function {
		changed := *f
		changed.Access = rewritten(f.Access, func(a *model.ResourceAccess) bool {
			return rename(&a.Resource, resource, of.Kind, to)
		})
		changed.Policies = relinked(f.Policies, resource, of.Kind, to)
		if of.Kind == model.KindTable && f.Table == of.Name {
			changed.Table = orEmpty(to)
		}
		if slices.Equal(changed.Access, f.Access) && changed.Table == f.Table &&
			slices.EqualFunc(changed.Policies, f.Policies, model.Statement.Equal) {
			return f
		}
		return &changed
	})
	switch of.Kind {
	case model.KindAPI:
		b.Environments = model.Mapped(b.Environments, func(e *model.Environment) *model.Environment {
			if !slices.Contains(e.APIs, of.Name) {
				return e
			}
			changed := *e
			if changed.APIs = rewritten(e.APIs,
				func(label *string) bool { return rename(label, of.Name, "", to) }); changed.APIs == nil {
				changed.APIs = []string{} // nil means all APIs
			}
			return &changed
		})
		rewriteEntries(b, of.Name, to)
	case model.KindEnvironment:
		b.APIs = model.Mapped(b.APIs, func(api *access.API) *access.API {
			if !slices.ContainsFunc(api.CORS.Environments, func(in access.OriginsIn) bool { return in.Environment == of.Name }) {
				return api
			}
			changed := *api
			changed.CORS.Environments = rewritten(api.CORS.Environments,
				func(in *access.OriginsIn) bool { return rename(&in.Environment, of.Name, "", to) })
			return &changed
		})
	case model.KindFunction:
		b.Environments = model.Mapped(b.Environments, func(e *model.Environment) *model.Environment {
			if !slices.ContainsFunc(e.Variables, func(v model.FunctionVariables) bool { return v.Function == of.Name }) {
				return e
			}
			changed := *e
			changed.Variables = rewritten(e.Variables,
				func(v *model.FunctionVariables) bool { return rename(&v.Function, of.Name, "", to) })
			return &changed
		})
		rewritePaths(b, func(p *access.Path) bool { return rename(&p.Function, of.Name, "", to) })
		b.Triggers = rewritten(b.Triggers, func(t *model.Trigger) bool { return rename(&t.Function, of.Name, "", to) })
		b.Tables = model.Mapped(b.Tables, func(t *model.Table) *model.Table {
			if t.Trigger(of.Name) == nil {
				return t
			}
			changed := *t
			changed.Triggers = rewritten(t.Triggers,
				func(s *model.StreamTrigger) bool { return rename(&s.Function, of.Name, "", to) })
			return &changed
		})
	case model.KindGroup:
		rewritePaths(b, func(p *access.Path) bool {
			if _, named := p.Access.Grant(access.Principal{Kind: access.Group, Group: of.Name}); named {
				p.Access.Grants = rewritten(p.Access.Grants, func(g *access.Grant) bool {
					return g.To.Kind != access.Group || rename(&g.To.Group, of.Name, "", to)
				})
			}
			return true
		})
	}
}

// relinked rewrites the references of statements to a resource, or removes those resources, with the
// statements that have no other.
func relinked(policies []model.Statement, resource string, kind model.Kind, to *string) []model.Statement {
	return rewritten(policies, func(s *model.Statement) bool {
		s.Resource = rewritten(s.Resource, func(r *string) bool {
			if to != nil {
				*r = strings.ReplaceAll(*r, model.Refer(resource), model.Refer(string(kind)+"/"+*to))
			}
			return to != nil || !strings.Contains(*r, model.Refer(resource))
		})
		return len(s.Resource) > 0
	})
}

// rewritePaths replaces each path by what rewrite makes of a copy, and removes it if
// rewrite is false. An API without paths is then removed too.
func rewritePaths(b *model.Backend, rewrite func(*access.Path) bool) {
	var emptied []string
	b.APIs = model.Mapped(b.APIs, func(api *access.API) *access.API {
		changed, touched := *api, false
		changed.Paths = make([]*access.Path, 0, len(api.Paths))
		for _, p := range api.Paths {
			next := *p
			keep := rewrite(&next)
			switch {
			case !keep:
				touched = true
			case next.Function == p.Function && next.Access.Equal(p.Access):
				changed.Paths = append(changed.Paths, p)
			default:
				touched = true
				changed.Paths = append(changed.Paths, &next)
			}
		}
		if !touched {
			return api
		}
		if len(changed.Paths) == 0 {
			emptied = append(emptied, api.Label)
		}
		return &changed
	})
	for _, label := range emptied {
		unlink(b, model.Ref{Kind: model.KindAPI, Name: label})
		b.APIs = dropped(b.APIs, label)
	}
}

// rename gives *name the new name if it is the old one, and reports whether the reference stays.
func rename(name *string, old string, kind model.Kind, to *string) bool {
	if *name != old {
		return true
	}
	if to == nil {
		return false
	}
	*name = *to
	if kind != "" {
		*name = string(kind) + "/" + *to
	}
	return true
}

// rewritten returns a copy of the list with each item changed by change, without those for
// which change is false; nil if none is left.
func rewritten[T any](list []T, change func(*T) bool) []T {
	var next []T
	for _, item := range list {
		if change(&item) {
			next = append(next, item)
		}
	}
	return next
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// renameVariables rewrites the references of values to variables about a resource, whose names change with its name.
func renameVariables(b *model.Backend, resource, to string) {
	was, now := model.ResourcePrefix(resource), model.ResourcePrefix(to)
	if was == now {
		return
	}
	before := *b
	rewrite := func(f *model.Function, values []model.Variable) []model.Variable {
		if f == nil ||
			!slices.ContainsFunc(values, func(v model.Variable) bool { return strings.Contains(v.Value, "${"+was) }) {
			return values
		}
		given := before.Given(f)
		values = slices.Clone(values)
		for i, v := range values {
			values[i].Value = model.RenamedReferences(v.Value, func(name string) string {
				if what, is := strings.CutPrefix(name, was); is && given[name] == resource {
					return now + what
				}
				return name
			})
		}
		return values
	}
	b.Functions = model.Mapped(b.Functions, func(f *model.Function) *model.Function {
		changed := *f
		if changed.Environment = rewrite(f, f.Environment); slices.Equal(changed.Environment, f.Environment) {
			return f
		}
		return &changed
	})
	b.Environments = model.Mapped(b.Environments, func(e *model.Environment) *model.Environment {
		changed, same := *e, true
		changed.Variables = slices.Clone(e.Variables)
		for i, set := range e.Variables {
			changed.Variables[i].Values = rewrite(before.Function(set.Function), set.Values)
			same = same && slices.Equal(changed.Variables[i].Values, set.Values)
		}
		if same {
			return e
		}
		return &changed
	})
}
