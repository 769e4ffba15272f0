package model

import "slices"

// Granted is the access with entries set in it: an open path is restricted by
// them, and guests get in when they are named, never through an entry that did
// nothing until now. Without entries it is the access as it is.
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

// Without is the access less the entry of a principal, which may have none. A
// path that loses its guests is one for signed-in users.
func (a Access) Without(to Principal) Access {
	a.Grants = slices.DeleteFunc(slices.Clone(a.Grants), func(g Grant) bool { return g.To == to })
	if to.Kind == Guest && a.Setting == Protected {
		a.Setting = Private
	}
	return a
}

// GroupBefore is the order of the pool's groups with one of them moved to stand
// before another. A group that the pool lacks is a Problem with ErrUnknown.
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
