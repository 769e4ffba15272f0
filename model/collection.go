package model

import (
	"errors"
	"slices"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// Causes of a Problem: a name is taken (ErrExists), nothing has the name (ErrUnknown),
// other things refer to what is to be removed (ErrInUse), or it is an API's only path
// (ErrLastPath).
var (
	ErrExists   = errors.New("exists already")
	ErrUnknown  = errors.New("not found")
	ErrInUse    = errors.New("in use")
	ErrLastPath = errors.New("last path")
)

// named is a thing that a Backend keeps in a list sorted by name.
type named interface{ Key() string }

// Key is the name under which a backend lists the environment.
func (e *Environment) Key() string { return e.Name }

// Key is the name under which a backend lists the function.
func (f *Function) Key() string { return f.Name }

// Key is the name under which a backend lists the table.
func (t *Table) Key() string { return t.Name }

// Key is the name under which a backend lists the output.
func (o *Output) Key() string { return o.Name }

func find[T named](list []T, name string) (found T) {
	if i := indexOf(list, name); i >= 0 {
		return list[i]
	}
	return found
}

func indexOf[T named](list []T, name string) int {
	return slices.IndexFunc(list, func(item T) bool { return item.Key() == name })
}

func unknownError(ref Ref, have []string) error {
	fix := "there is none yet"
	if near := spelling.Nearest(ref.Name, have); near != "" {
		fix = "did you mean " + phrase.Quote(near) + "?"
	} else if len(have) > 0 {
		fix = "there is " + phrase.QuoteList(have)
	}
	return &Problem{Of: ref, Text: "not found", Fix: fix, Cause: ErrUnknown}
}

func names[T named](list []T) []string {
	all := make([]string, len(list))
	for i, item := range list {
		all[i] = item.Key()
	}
	return all
}

// exists reports whether there is a thing of that kind and name.
func (b *Backend) exists(kind Kind, name string) bool {
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
		return names(b.Environments)
	case KindAPI:
		return names(b.APIs)
	case KindFunction:
		return names(b.Functions)
	case KindTable:
		return names(b.Tables)
	case KindOutput:
		return names(b.Outputs)
	case KindGroup:
		return b.Groups
	}
	return nil
}

// Known checks that a thing other than a path exists. The error names those that exist.
func (b *Backend) Known(of Ref) error {
	if !b.exists(of.Kind, of.Name) {
		return unknownError(of, b.Names(of.Kind))
	}
	return nil
}
