package edit

import (
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// with returns a copy of the list with the item inserted at its sorted place.
func with[T model.Named](list []T, item T) []T {
	at, _ := slices.BinarySearchFunc(list, item.Key(), func(have T, name string) int {
		return strings.Compare(have.Key(), name)
	})
	next := make([]T, 0, len(list)+1)
	return append(append(append(next, list[:at]...), item), list[at:]...)
}

// swapped returns a copy of the list with the item called name replaced, at the sorted place of its new name.
func swapped[T model.Named](list []T, name string, item T) []T {
	if item.Key() != name {
		return with(dropped(list, name), item)
	}
	list = slices.Clone(list)
	list[model.IndexOf(list, name)] = item
	return list
}

// dropped returns a copy of the list without the item called name.
func dropped[T model.Named](list []T, name string) []T {
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return item.Key() == name })
}

// free checks that a new name is well formed, can be that of a file on every system, and is not
// taken, ignoring case. except is the present name of a thing that is renamed, "" for a new thing.
func free[T model.Named](kind model.Kind, list []T, name, except string) error {
	if err := model.CheckName(kind, name); err != nil {
		return err
	}
	if text := model.FileNameProblem(name); text != "" {
		return &model.Problem{Field: model.NameField(kind), Text: text, Fix: "choose another name"}
	}
	for _, item := range list {
		if have := item.Key(); len(have) == len(name) && have != except && strings.EqualFold(have, name) {
			return takenError(kind, name, have)
		}
	}
	return nil
}

func takenError(kind model.Kind, name, have string) error {
	text := phrase.Quote(name) + " exists already"
	if name != have {
		text = phrase.Quote(name) + " differs from " + phrase.Quote(have) + " only in case"
	}
	return &model.Problem{
		Field: model.NameField(kind), Text: text, Fix: "choose another name, or update the existing one",
		Cause: model.ErrExists,
	}
}
