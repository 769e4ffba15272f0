package model

import "gatewright/model/access"

// Layout is what a backend means in the layout of its project.
type Layout interface {
	// Defines reports whether the project defines the things of a kind: edits change them, and all of
	// them are known. Another tool keeps the others, so that a reference to one of them may be right
	// although nothing of its name is found, and what it holds means what that tool says.
	Defines(kind Kind) bool
	// HasMediaTypes reports whether the definition of an API has its binary media types and settings.
	HasMediaTypes() bool
	// Terms returns what the rules of paths mean, but for guests, who are the user pool's.
	Terms() access.Terms
}

// Defines reports whether the backend's project defines the things of a kind (see Layout).
func (b *Backend) Defines(kind Kind) bool { return b.Layout == nil || b.Layout.Defines(kind) }

// HasMediaTypes reports whether the definition of an API has its binary media types and settings.
func (b *Backend) HasMediaTypes() bool { return b.Layout == nil || b.Layout.HasMediaTypes() }

// Adding returns the command that adds a thing of a kind to the backend's project: an environment, a
// group, or for the user pool the identities of guests.
func (b *Backend) Adding(kind Kind) string {
	own := map[Kind]string{
		KindEnvironment: "gatewright add env NAME", KindGroup: "gatewright add group NAME",
		KindAuth: "gatewright update auth --unauthenticated-identities-enabled",
	}
	switch {
	case b.Defines(kind):
		return own[kind]
	case kind == KindEnvironment:
		return "amplify env add"
	case b.Auth == nil && len(b.Groups) == 0:
		return "amplify add auth"
	}
	return "amplify update auth"
}
