package model

import (
	"slices"

	"gatewright/model/access"
)

// UsesUserPool reports whether a user pool is part of the backend: one is
// defined, there are groups or triggers, or a path is restricted.
func (b *Backend) UsesUserPool() bool {
	restricted := func(p *access.Path) bool { return p.Access.Setting != access.Open }
	return b.Auth != nil || len(b.Groups) > 0 || len(b.Triggers) > 0 ||
		slices.ContainsFunc(b.APIs, func(api *access.API) bool { return slices.ContainsFunc(api.Paths, restricted) })
}

// RoleOrder returns the order of precedence of all groups that a caller may act as: the user
// pool's, then those that only the APIs name, in the order of their files.
func (b *Backend) RoleOrder() []string {
	order := b.Groups
	for _, api := range b.APIs {
		order = access.Precedence(api, order)
	}
	return slices.Clone(order)
}

// WithDefaults returns the definition with its defaults filled in, as it is deployed and
// written into the client configuration file.
func (a Auth) WithDefaults() Auth {
	if a.PasswordPolicy != nil {
		policy := a.PasswordPolicy.Whole()
		a.PasswordPolicy = &policy
	}
	guests := a.GuestsEnabled()
	a.UnauthenticatedIdentitiesEnabled = &guests
	return a
}
