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

// GroupBefore returns the pool's groups in order of precedence, with one moved directly
// before another. The error of a group that does not exist is a Problem with ErrUnknown.
func (b *Backend) GroupBefore(name, other string) ([]string, error) {
	for _, group := range []string{name, other} {
		if err := b.Known(Ref{Kind: KindGroup, Name: group}); err != nil {
			return nil, err
		}
	}
	rest := slices.DeleteFunc(slices.Clone(b.Groups), func(g string) bool { return g == name })
	at := slices.Index(rest, other)
	if at < 0 {
		return slices.Clone(b.Groups), nil
	}
	return slices.Insert(rest, at, name), nil
}
