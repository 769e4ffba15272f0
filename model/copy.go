package model

import (
	"slices"

	"gatewright/model/access"
)

// Edits copy their arguments, so that a caller who changes one later does not change the
// backend. A nil list stays nil, an empty one stays empty.

func copiedAPI(a *access.API) *access.API {
	next := *a
	next.BinaryMediaTypes, next.Paths = slices.Clone(a.BinaryMediaTypes), slices.Clone(a.Paths)
	for i, p := range next.Paths {
		next.Paths[i] = copiedPath(p)
	}
	return &next
}

func copiedPath(p *access.Path) *access.Path {
	next := *p
	next.Access.Grants = slices.Clone(p.Access.Grants)
	return &next
}

func copiedFunction(f *Function) *Function {
	next := *f
	next.Environment, next.Secrets = slices.Clone(f.Environment), slices.Clone(f.Secrets)
	next.Layers, next.Access = slices.Clone(f.Layers), slices.Clone(f.Access)
	return &next
}

func copiedTable(t *Table) *Table {
	next := *t
	next.Indexes, next.Triggers = slices.Clone(t.Indexes), slices.Clone(t.Triggers)
	return &next
}

func copiedEnvironment(e *Environment) *Environment {
	next := *e
	next.APIs, next.Parameters, next.Variables = slices.Clone(e.APIs), slices.Clone(e.Parameters),
		slices.Clone(e.Variables)
	for i := range next.Variables {
		next.Variables[i].Values = slices.Clone(next.Variables[i].Values)
	}
	next.Data, next.Storage = copiedData(e.Data), copied(e.Storage)
	return &next
}

func copiedAuth(a *Auth) *Auth {
	next := copied(a)
	if next == nil {
		return nil
	}
	next.StandardRequiredAttributes, next.UsernameAttributes = slices.Clone(a.StandardRequiredAttributes),
		slices.Clone(a.UsernameAttributes)
	next.UserVerificationTypes, next.MFAMethods = slices.Clone(a.UserVerificationTypes), slices.Clone(a.MFAMethods)
	next.UnauthenticatedIdentitiesEnabled = copied(a.UnauthenticatedIdentitiesEnabled)
	if next.PasswordPolicy = copied(a.PasswordPolicy); next.PasswordPolicy != nil {
		p := next.PasswordPolicy
		p.MinLength, p.RequireNumbers, p.RequireLowercase = copied(p.MinLength), copied(p.RequireNumbers),
			copied(p.RequireLowercase)
		p.RequireUppercase, p.RequireSymbols = copied(p.RequireUppercase), copied(p.RequireSymbols)
	}
	if next.OAuth = copied(a.OAuth); next.OAuth != nil {
		o := next.OAuth
		o.IdentityProviders, o.Scopes = slices.Clone(o.IdentityProviders), slices.Clone(o.Scopes)
		o.RedirectSignInURI, o.RedirectSignOutURI = slices.Clone(o.RedirectSignInURI), slices.Clone(o.RedirectSignOutURI)
	}
	return next
}

func copiedData(d *Data) *Data {
	next := copied(d)
	if next != nil {
		next.ModelIntrospection, next.AuthorizationTypes = slices.Clone(d.ModelIntrospection),
			slices.Clone(d.AuthorizationTypes)
	}
	return next
}

// copied returns a pointer to a shallow copy; nil for nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	next := *p
	return &next
}

// copiedValue returns a deep copy of a value of Outputs.
func copiedValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		next := make(map[string]any, len(v))
		for name, member := range v {
			next[name] = copiedValue(member)
		}
		return next
	case []any:
		next := make([]any, len(v))
		for i, item := range v {
			next[i] = copiedValue(item)
		}
		return next
	}
	return value
}
