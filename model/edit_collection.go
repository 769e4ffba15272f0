package model

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
)

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

// mapped returns a copy of the list with each item replaced by what change gives, or the list
// itself if nothing changes.
func mapped[T comparable](list []T, change func(T) T) []T {
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
