package model

import "slices"

// DefaultRegion is the region where neither the environment nor the project
// names one.
const DefaultRegion = "us-east-1"

// Region is where an environment is deployed: its own region, else the project's,
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

// For is the backend as one environment deploys it: the APIs that it has,
// functions with its variables laid over their own, data and storage with what it
// overrides, and no other environment. What it does not touch is shared with b.
// Without an environment (nil) only the environments go.
func (b *Backend) For(env *Environment) *Backend {
	next := *b
	next.Environments = nil
	if env == nil {
		return &next
	}
	next.Environments = []*Environment{env}
	lacks := func(api *API) bool { return !env.Has(api.Label) }
	if slices.ContainsFunc(b.APIs, lacks) {
		next.APIs = slices.DeleteFunc(slices.Clone(b.APIs), lacks)
	}
	over := make(map[string][]Variable, len(env.Variables))
	for _, v := range env.Variables {
		over[v.Function] = append(slices.Clip(over[v.Function]), v.Values...)
	}
	next.Functions = mapped(b.Functions, func(f *Function) *Function {
		variables := laidOver(f.Environment, over[f.Name])
		if slices.Equal(variables, f.Environment) {
			return f
		}
		changed := *f
		changed.Environment = variables
		return &changed
	})
	next.Data, next.Storage = b.Data.overridden(env.Data), b.Storage.overridden(env.Storage)
	return &next
}

// laidOver is the list with the values of others in place of its own, by name,
// and what it lacks after it.
func laidOver(own, others []Variable) []Variable {
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

// overridden is the definition with the fields that by says in place of its own.
func (d *Data) overridden(by *Data) *Data {
	switch {
	case d == nil:
		return by
	case by == nil:
		return d
	}
	next := *d
	override(&next.Region, by.Region)
	override(&next.URL, by.URL)
	override(&next.APIKey, by.APIKey)
	override(&next.DefaultAuthorizationType, by.DefaultAuthorizationType)
	if len(by.ModelIntrospection) > 0 {
		next.ModelIntrospection = by.ModelIntrospection
	}
	if by.AuthorizationTypes != nil {
		next.AuthorizationTypes = by.AuthorizationTypes
	}
	return &next
}

// overridden is the definition with the fields that by says in place of its own.
func (s *Storage) overridden(by *Storage) *Storage {
	switch {
	case s == nil:
		return by
	case by == nil:
		return s
	}
	next := *s
	override(&next.Region, by.Region)
	override(&next.BucketName, by.BucketName)
	return &next
}

func override(value *string, by string) {
	if by != "" {
		*value = by
	}
}
