package model

import "reflect"

// Edits copy their arguments, so that a caller who changes one later does not change the backend.

// Copied returns a copy of a value that shares nothing with it. A nil list stays nil, an empty one stays empty.
func Copied[T any](value T) T {
	var next T
	copyInto(reflect.ValueOf(&next).Elem(), reflect.ValueOf(&value).Elem())
	return next
}

func copyInto(next, v reflect.Value) {
	copyOf := func(v reflect.Value) reflect.Value {
		to := reflect.New(v.Type()).Elem()
		copyInto(to, v)
		return to
	}
	next.Set(v)
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			copyInto(next.Field(i), v.Field(i))
		}
	case reflect.Slice:
		next.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		if isPlain(v.Type().Elem().Kind()) {
			reflect.Copy(next, v)
			return
		}
		for i := range v.Len() {
			copyInto(next.Index(i), v.Index(i))
		}
	case reflect.Map:
		next.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for members := v.MapRange(); members.Next(); {
			next.SetMapIndex(members.Key(), copyOf(members.Value()))
		}
	case reflect.Pointer:
		next.Set(copyOf(v.Elem()).Addr())
	case reflect.Interface:
		if !isPlain(v.Elem().Kind()) {
			next.Set(copyOf(v.Elem()))
		}
	}
}

// isPlain reports whether values of a kind share nothing when they are assigned.
func isPlain(k reflect.Kind) bool { return k <= reflect.Complex128 || k == reflect.String }
