package model

import "gatewright/model/access"

// Layout is what a backend means in the layout of its project.
type Layout interface {
	// Defines reports whether the project defines the things of a kind: edits change them, and all of
	// them are known. Another tool keeps the others, so that a reference to one of them may be right
	// although nothing of its name is found, and what it holds means what that tool says.
	Defines(kind Kind) bool
	// HasMediaTypes reports whether the definition of an API has its binary media types.
	HasMediaTypes() bool
	// Terms returns what the rules of paths mean, but for guests, who are the user pool's.
	Terms() access.Terms
}

// Defines reports whether the backend's project defines the things of a kind (see Layout).
func (b *Backend) Defines(kind Kind) bool { return b.Layout == nil || b.Layout.Defines(kind) }

// HasMediaTypes reports whether the definition of an API has its binary media types.
func (b *Backend) HasMediaTypes() bool { return b.Layout == nil || b.Layout.HasMediaTypes() }
