package model

import (
	"errors"
	"slices"
	"strings"

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

// with returns a copy of the list with the item inserted at its sorted place.
func with[T named](list []T, item T) []T {
	at, _ := slices.BinarySearchFunc(list, item.Key(), func(have T, name string) int {
		return strings.Compare(have.Key(), name)
	})
	next := make([]T, 0, len(list)+1)
	return append(append(append(next, list[:at]...), item), list[at:]...)
}

// swapped returns a copy of the list with the item called name replaced, at the sorted
// place of its new name.
func swapped[T named](list []T, name string, item T) []T {
	if item.Key() != name {
		return with(dropped(list, name), item)
	}
	list = slices.Clone(list)
	list[indexOf(list, name)] = item
	return list
}

// dropped returns a copy of the list without the item called name.
func dropped[T named](list []T, name string) []T {
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return item.Key() == name })
}

// free checks that a new name is well formed, can be that of a file on every system, and is not
// taken, ignoring case. except is the present name of a thing that is renamed, "" for a new thing.
func free[T named](kind Kind, list []T, name, except string) error {
	if err := CheckName(kind, name); err != nil {
		return err
	}
	if text := FileNameProblem(name); text != "" {
		return &Problem{Field: nameField(kind), Text: text, Fix: "choose another name"}
	}
	for _, item := range list {
		if have := item.Key(); len(have) == len(name) && have != except && strings.EqualFold(have, name) {
			return takenError(kind, name, have)
		}
	}
	return nil
}

func takenError(kind Kind, name, have string) error {
	text := phrase.Quote(name) + " exists already"
	if name != have {
		text = phrase.Quote(name) + " differs from " + phrase.Quote(have) + " only in case"
	}
	return &Problem{
		Field: nameField(kind), Text: text, Fix: "choose another name, or update the existing one",
		Cause: ErrExists,
	}
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
