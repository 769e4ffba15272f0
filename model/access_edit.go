package model

import "slices"

// Granted returns the access with grants added or replaced. They restrict an open path, whose
// earlier grants had no effect and are dropped. A grant to guests lets guests in.
func (a Access) Granted(grants ...Grant) Access {
	if a.Setting == Open && len(grants) > 0 {
		a = Access{Setting: Private}
	}
	for _, g := range grants {
		a = a.With(g.To, g.Actions)
		if g.To.Kind == Guest {
			a.Setting = Protected
		}
	}
	return a
}

// Without returns the access without the entry of a principal, if there is one. A path that
// loses its guests becomes one for signed-in users.
func (a Access) Without(to Principal) Access {
	a.Grants = slices.DeleteFunc(slices.Clone(a.Grants), func(g Grant) bool { return g.To == to })
	if to.Kind == Guest && a.Setting == Protected {
		a.Setting = Private
	}
	return a
}
