package model

import (
	"errors"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// Causes of a Problem: a name is taken (ErrExists), nothing has the name (ErrUnknown), other things refer to what is
// to be removed (ErrInUse), or it is an API's only path (ErrLastPath).
var (
	ErrExists   = errors.New("exists already")
	ErrUnknown  = errors.New("not found")
	ErrInUse    = errors.New("in use")
	ErrLastPath = errors.New("last path")
)

// Named is a thing that a Backend keeps in a list sorted by name.
type Named interface{ Key() string }

// Key is the name under which a backend lists the environment.
func (e *Environment) Key() string { return e.Name }

// Key is the name under which a backend lists the function.
func (f *Function) Key() string { return f.Name }

// Key is the name under which a backend lists the table.
func (t *Table) Key() string { return t.Name }

// Key is the name under which a backend lists the output.
func (o *Output) Key() string { return o.Name }

// Find returns the item of a list with a name; the zero value if there is none.
func Find[T Named](list []T, name string) (found T) {
	if i := IndexOf(list, name); i >= 0 {
		return list[i]
	}
	return found
}

// IndexOf returns the position of the item with a name; -1 if there is none.
func IndexOf[T Named](list []T, name string) int {
	at, found := slices.BinarySearchFunc(list, name, func(item T, name string) int {
		return strings.Compare(item.Key(), name)
	})
	if found {
		return at
	}
	// A draft may list a thing out of its order.
	return slices.IndexFunc(list, func(item T) bool { return item.Key() == name })
}

// UnknownError says that a thing is not found, and names what is meant or what there is. Its cause is ErrUnknown.
func UnknownError(ref Ref, have []string) error {
	fix := "there is none yet"
	if near := spelling.Nearest(ref.Name, have); near != "" {
		fix = "did you mean " + phrase.Quote(near) + "?"
	} else if len(have) > 0 {
		fix = "there is " + phrase.QuoteList(have)
	}
	return &Problem{Of: ref, Text: "not found", Fix: fix, Cause: ErrUnknown}
}

// Names returns the names of the items of a list.
func Names[T Named](list []T) []string {
	all := make([]string, len(list))
	for i, item := range list {
		all[i] = item.Key()
	}
	return all
}

// Exists reports whether there is a thing of that kind and name.
func (b *Backend) Exists(kind Kind, name string) bool {
	switch kind {
	case KindEnvironment:
		return b.Environment(name) != nil
	case KindAPI:
		return b.API(name) != nil
	case KindFunction:
		return b.Function(name) != nil
	case KindTable:
		return b.Table(name) != nil
	case KindOutput:
		return b.Output(name) != nil
	case KindGroup:
		return slices.Contains(b.Groups, name)
	}
	return false
}

// Names lists the names of a kind in their order; nil for paths, whose names belong to an
// API, and for kinds without names.
func (b *Backend) Names(kind Kind) []string {
	switch kind {
	case KindEnvironment:
		return Names(b.Environments)
	case KindAPI:
		return Names(b.APIs)
	case KindFunction:
		return Names(b.Functions)
	case KindTable:
		return Names(b.Tables)
	case KindOutput:
		return Names(b.Outputs)
	case KindGroup:
		return b.Groups
	}
	return nil
}

// Known checks that a thing other than a path exists. The error names those that exist.
func (b *Backend) Known(of Ref) error {
	if !b.Exists(of.Kind, of.Name) {
		return UnknownError(of, b.Names(of.Kind))
	}
	return nil
}

// Mapped returns a copy of the list with each item replaced by what change gives, or the list
// itself if nothing changes.
func Mapped[T comparable](list []T, change func(T) T) []T {
	next := list
	for i, item := range list {
		if with := change(item); with != item {
			if &next[0] == &list[0] {
				next = slices.Clone(list)
			}
			next[i] = with
		}
	}
	return next
}
