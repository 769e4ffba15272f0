package model

import (
	"reflect"
	"slices"

	"gatewright/model/access"
)

// DefaultRegion is the region if neither the environment nor the project names one.
const DefaultRegion = "us-east-1"

// Region returns where an environment is deployed: its own region, else the project's,
// else DefaultRegion. env may be nil.
func (b *Backend) Region(env *Environment) string {
	switch {
	case env != nil && env.Region != "":
		return env.Region
	case b.Project.Region != "":
		return b.Project.Region
	}
	return DefaultRegion
}

// For returns the backend as one environment deploys it: only the APIs that it has, with its origins, functions with
// its variables added to their own, data and storage with the fields that it overrides, and no other environment.
// Unchanged parts are shared with b. For nil it is the backend without environments.
func (b *Backend) For(env *Environment) *Backend {
	next := *b
	next.Environments = nil
	if env == nil {
		return &next
	}
	next.Environments = []*Environment{env}
	lacks := func(api *access.API) bool { return !env.Has(api.Label) }
	if slices.ContainsFunc(b.APIs, lacks) {
		next.APIs = slices.DeleteFunc(slices.Clone(b.APIs), lacks)
	}
	next.APIs = Mapped(next.APIs, func(api *access.API) *access.API {
		if len(api.CORS.Environments) == 0 {
			return api
		}
		changed := *api
		changed.CORS = api.CORS.In(env.Name)
		return &changed
	})
	overrides := make(map[string][]Variable, len(env.Variables))
	for _, v := range env.Variables {
		overrides[v.Function] = append(slices.Clip(overrides[v.Function]), v.Values...)
	}
	next.Functions = Mapped(b.Functions, func(f *Function) *Function {
		variables := overlaid(f.Environment, overrides[f.Name])
		if slices.Equal(variables, f.Environment) {
			return f
		}
		changed := *f
		changed.Environment = variables
		return &changed
	})
	next.Data, next.Storage = Overridden(b.Data, env.Data), Overridden(b.Storage, env.Storage)
	return &next
}

// overlaid returns own with the variables of others: those of the same name replace its own, new ones are appended.
func overlaid(own, others []Variable) []Variable {
	if len(others) == 0 {
		return own
	}
	own = slices.Clone(own)
	at := make(map[string]int, len(own)+len(others))
	for i, v := range own {
		at[v.Name] = i
	}
	for _, v := range others {
		if i, there := at[v.Name]; there {
			own[i] = v
			continue
		}
		at[v.Name] = len(own)
		own = append(own, v)
	}
	return own
}

// Overridden returns a copy of a definition with each field replaced that changes sets.
func Overridden[T any](d, changes *T) *T {
	switch {
	case d == nil:
		return changes
	case changes == nil:
		return d
	}
	next := *d
	into, from := reflect.ValueOf(&next).Elem(), reflect.ValueOf(changes).Elem()
	for i := range from.NumField() {
		if value := from.Field(i); !value.IsZero() {
			into.Field(i).Set(value)
		}
	}
	return &next
}
