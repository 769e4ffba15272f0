package keys

import "slices"

// Meanings are all meanings.
func Meanings() []Meaning { return slices.Clone(meanings) }
