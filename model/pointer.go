package model

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"gatewright/internal/text/phrase"
)

// PlaceOf returns the place that a JSON pointer names: the unescaped segments.
func PlaceOf(pointer string) []string { return slices.Collect(jsontext.Pointer(pointer).Tokens()) }

// ValueAt returns the value at a place, which is a list of names and positions from 0; nil if there is none.
func ValueAt(values map[string]any, place []string) any {
	var at any = values
	for _, name := range place {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return at
}

// PutAt sets the value at a place and makes missing objects above it. An item of an array is
// named by its position from 0; - or the position after the last one appends. The error names
// the place that is a single value or has no such position.
func PutAt(values map[string]any, place []string, value any) error {
	_, err := putAt(values, place, value, "")
	return err
}

func putAt(at any, place []string, value any, pointer string) (any, error) {
	if len(place) == 0 {
		return value, nil
	}
	name, rest := place[0], place[1:]
	here := pointer + "/" + PointerSegment(name)
	switch v := at.(type) {
	case nil:
		return putAt(map[string]any{}, place, value, pointer)
	case map[string]any:
		next, err := putAt(v[name], rest, value, here)
		if err == nil {
			v[name] = next
		}
		return v, err
	case []any:
		i, err := strconv.Atoi(name)
		if name == "-" {
			i, err = len(v), nil
		}
		if err != nil || i < 0 || i > len(v) {
			return nil, fmt.Errorf("%s is an array of %s; name a position from 0, or - to append", phrase.Quote(pointer),
				phrase.Count(len(v), "item"))
		}
		if i == len(v) {
			v = append(v, nil)
		}
		next, err := putAt(v[i], rest, value, here)
		v[i] = next
		return v, err
	}
	return nil, fmt.Errorf("%s is a single value and cannot contain %s; unset it first",
		phrase.Quote(pointer), phrase.Quote(here))
}

// TakeAt removes the value at a place, with the objects that it leaves empty, and reports whether there was one.
func TakeAt(values map[string]any, place []string) bool {
	if len(place) == 0 || ValueAt(values, place[:len(place)-1]) == nil {
		return false
	}
	last := place[len(place)-1]
	switch v := ValueAt(values, place[:len(place)-1]).(type) {
	case map[string]any:
		if _, exists := v[last]; !exists {
			return false
		}
		delete(v, last)
		if len(v) == 0 && len(place) > 1 {
			TakeAt(values, place[:len(place)-1])
		}
		return true
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i < 0 || i >= len(v) {
			return false
		}
		return PutAt(values, place[:len(place)-1], slices.Delete(slices.Clone(v), i, i+1)) == nil
	}
	return false
}
