package model

import (
	"slices"
)

// AllMediaTypes is the binary media type that every media type matches.
const AllMediaTypes = "*/*"

// SameMediaTypes reports whether two lists have the same types, in any order.
func SameMediaTypes(x, y []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}
