package model

import (
	"slices"
)

// AllMediaTypes is the binary media type that every media type matches.
const AllMediaTypes = "*/*"

// sameMediaTypes reports whether two lists have the same types, in any order.
func sameMediaTypes(x, y []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}
