// Package field says what the definitions consist of. Each thing lists its fields, a Row for each,
// and everything that passes over all fields follows from the rows: how a file is read and written,
// what a difference says, which flags there are, and what forms show.
package field

import "reflect"

// Row is a field of one thing.
type Row struct {
	// Name is its key in the file, Flag the flag of commands that sets it; "" if none does.
	Name, Flag string
	// Noun is what sentences call it. Differences leave out a field without one, or have words of their own for it.
	Noun string
	// Value points to its value: to a text, a whole number, a truth value or a list of texts, or to a
	// type of package model. It may be an Object, and may point to a list of them.
	Value any
	// Written says that a file has it even if it is empty.
	Written bool
	// Default is what an empty text stands for.
	Default string
	// Words are the texts that it may be; nil for any.
	Words []string
	// Range bounds a number.
	Range Range
	// Ordered says that the order of a list counts.
	Ordered bool
}

// Range is what a number may be, unless it is 0, which stands for Default. Unit and Sign are what
// it counts: "second" and "s".
type Range struct {
	Min, Default, Max int
	Unit, Sign        string
}

// Object is something with fields. Without its first field it counts as empty.
type Object interface{ Fields() []Row }

// Allows reports whether a number is in the range.
func (r Range) Allows(n int) bool { return n == 0 || n >= r.Min && n <= r.Max }

// Of finds the field with a name; the zero Row if there is none.
func Of(o Object, name string) Row {
	for _, row := range o.Fields() {
		if row.Name == name {
			return row
		}
	}
	return Row{}
}

// Empty reports whether the field has no value.
func (r Row) Empty() bool {
	if o, ok := r.Value.(Object); ok {
		return o.Fields()[0].Empty()
	}
	v := reflect.ValueOf(r.Value).Elem()
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// Items are the objects of the list that list points to.
func Items(list any) []Object {
	v := reflect.ValueOf(list).Elem()
	all := make([]Object, v.Len())
	for i := range all {
		all[i] = v.Index(i).Addr().Interface().(Object)
	}
	return all
}

// Append adds an object to the list that list points to.
func Append(list any) Object {
	v := reflect.ValueOf(list).Elem()
	v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	return v.Index(v.Len() - 1).Addr().Interface().(Object)
}

// Words are the words of an enumeration.
func Words[T ~string](values []T) []string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = string(v)
	}
	return words
}
