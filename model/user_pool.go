package model

import "slices"

// UsesUserPool reports whether a user pool is part of the backend: one is
// defined, there are groups, or a path is restricted.
func (b *Backend) UsesUserPool() bool {
	restricted := func(p *Path) bool { return p.Access.Setting != Open }
	return b.Auth != nil || len(b.Groups) > 0 ||
		slices.ContainsFunc(b.APIs, func(api *API) bool { return slices.ContainsFunc(api.Paths, restricted) })
}

// settled is the definition with what goes without saying said, as it is
// deployed and written into the client configuration file.
func (a Auth) settled() Auth {
	if a.PasswordPolicy != nil {
		policy := a.PasswordPolicy.Whole()
		a.PasswordPolicy = &policy
	}
	guests := a.GuestsEnabled()
	a.UnauthenticatedIdentitiesEnabled = &guests
	return a
}
