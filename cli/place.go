package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gatewright/model"
)

// parsePlace reads the way to a value: a JSON pointer where it begins with /,
// else names with dots between them.
func parsePlace(text string) ([]string, error) {
	if pointer, ok := strings.CutPrefix(text, "/"); ok {
		place := strings.Split(pointer, "/")
		for i, token := range place {
			place[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		}
		return place, nil
	}
	place := strings.Split(text, ".")
	if slices.Contains(place, "") {
		return nil, misuse("%s is not a path into the file; write one such as storage.bucket_name, or a JSON pointer such as /custom/a.b", model.Quote(text))
	}
	return place, nil
}

// pointerTo is the JSON pointer of a place.
func pointerTo(place []string) string {
	var b strings.Builder
	for _, token := range place {
		b.WriteString("/" + model.PointerToken(token))
	}
	return b.String()
}

// valueAt is the value at a place; nil where there is none.
func valueAt(values map[string]any, place []string) any {
	var at any = values
	for _, token := range place {
		switch v := at.(type) {
		case map[string]any:
			at = v[token]
		case []any:
			i, err := strconv.Atoi(token)
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

// putAt sets the value at a place, making the objects on the way that are not
// there. An item of an array is named by its position from 0; - or the position
// after the last one appends.
func putAt(values map[string]any, place []string, value any) error {
	_, err := put(values, place, value, "")
	return err
}

func put(at any, place []string, value any, pointer string) (any, error) {
	if len(place) == 0 {
		return value, nil
	}
	token, rest := place[0], place[1:]
	here := pointer + "/" + model.PointerToken(token)
	switch v := at.(type) {
	case nil:
		return put(map[string]any{}, place, value, pointer)
	case map[string]any:
		next, err := put(v[token], rest, value, here)
		if err == nil {
			v[token] = next
		}
		return v, err
	case []any:
		i, err := strconv.Atoi(token)
		if token == "-" {
			i, err = len(v), nil
		}
		if err != nil || i < 0 || i > len(v) {
			return nil, fmt.Errorf("%s is an array of %s; name a position from 0, or - to append", model.Quote(pointer), model.Count(len(v), "item"))
		}
		if i == len(v) {
			v = append(v, nil)
		}
		next, err := put(v[i], rest, value, here)
		v[i] = next
		return v, err
	}
	return nil, fmt.Errorf("%s is a single value, and %s would stand below it; unset it first", model.Quote(pointer), model.Quote(here))
}

// takeAt takes the value at a place away, with the objects that it leaves empty,
// and reports whether there was one.
func takeAt(values map[string]any, place []string) bool {
	if len(place) == 0 || valueAt(values, place[:len(place)-1]) == nil {
		return false
	}
	last := place[len(place)-1]
	switch v := valueAt(values, place[:len(place)-1]).(type) {
	case map[string]any:
		if _, there := v[last]; !there {
			return false
		}
		delete(v, last)
		if len(v) == 0 && len(place) > 1 {
			takeAt(values, place[:len(place)-1])
		}
		return true
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i < 0 || i >= len(v) {
			return false
		}
		return putAt(values, place[:len(place)-1], slices.Delete(slices.Clone(v), i, i+1)) == nil
	}
	return false
}
