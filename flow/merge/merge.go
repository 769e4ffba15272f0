// Package merge lays what others changed under what a person did: it merges three states of a
// value, as it was read, as the files have it now, and as the person left it.
package merge

import (
	"encoding/json"
	"maps"
	"slices"

	"gatewright/model"
)

// Conflict is a value that a person and somebody else changed to different ones, in words.
type Conflict struct {
	// Of names the value, such as "signed-in users under /books".
	Of string
	// Yours is the person's value, Outside that of the files.
	Yours, Outside string
}

// Merge merges values.
type Merge struct {
	// Open are the conflicts that nobody has decided.
	Open []Conflict
	// yours says which decided values stay as the person left them. An earlier state of the
	// person's work goes the same way, so what it had does not matter.
	yours map[[2]string]bool
}

// New makes a merge without decisions.
func New() *Merge { return &Merge{yours: make(map[[2]string]bool)} }

// Again is a merge with the same decisions, those to come too, and nothing open.
func (m *Merge) Again() *Merge { return &Merge{yours: m.yours} }

// OpenError is a conflict that has to be decided first.
type OpenError struct {
	Conflict
	merge *Merge
}

// Error says that nothing is decided.
func (e *OpenError) Error() string {
	return "both changed " + e.Of + ": your value is " + e.Yours + ", the file has " + e.Outside
}

// Decide settles the conflict.
func (e *OpenError) Decide(yours bool) { e.merge.yours[[2]string{e.Of, e.Outside}] = yours }

// Err is the first conflict that is open; nil for none.
func (m *Merge) Err() *OpenError {
	if len(m.Open) == 0 {
		return nil
	}
	return &OpenError{m.Open[0], m}
}

// Value merges the three states of a value. An open conflict gives mine. words says a state.
func Value[T any](m *Merge, of string, was, now, mine T, same func(a, b T) bool, words func(T) string) T {
	switch {
	case same(mine, was):
		return now
	case same(now, was), same(now, mine):
		return mine
	}
	c := Conflict{of, words(mine), words(now)}
	yours, decided := m.yours[[2]string{of, c.Outside}]
	switch {
	case !decided:
		m.Open = append(m.Open, c)
	case !yours:
		return now
	}
	return mine
}

// Text is Value for texts, which are shown as they are.
func Text(m *Merge, of, was, now, mine string) string {
	return Value(m, of, was, now, mine, func(a, b string) bool { return a == b }, func(text string) string {
		if text == "" {
			return "nothing"
		}
		return text
	})
}

// List is Value for a list. What only one side added, removed or changed stays so; key tells an entry
// from others, such as by the name of a variable.
func List[T any](m *Merge, of string, was, now, mine []T, key func(T) string) []T {
	same := func(a, b T) bool { return model.SameValue(a, b) }
	equal := func(a, b []T) bool { return slices.EqualFunc(a, b, same) }
	less := func(list, other []T) []T {
		return slices.DeleteFunc(slices.Clone(list),
			func(e T) bool { return slices.ContainsFunc(other, func(o T) bool { return same(e, o) }) })
	}
	added, gone := less(now, was), less(was, now)
	apart := equal(less(now, added), less(was, gone)) // in the same order
	for _, theirs := range slices.Concat(added, gone) {
		for _, own := range slices.Concat(less(mine, was), less(was, mine)) {
			apart = apart && (key(theirs) != key(own) || same(theirs, own))
		}
	}
	if apart && !equal(mine, was) && !equal(now, mine) && !equal(now, was) {
		return append(less(mine, gone), less(added, mine)...)
	}
	return Value(m, of, was, now, mine, equal, func(list []T) string { return words(list, len(list) == 0) })
}

// JSON is Value for a value of JSON: what is in an object is merged by its names, and an array is a list.
func JSON(m *Merge, of string, was, now, mine any) any {
	before, _ := was.(map[string]any)
	theirs, isObject := now.(map[string]any)
	own, bothAre := mine.(map[string]any)
	if isObject && bothAre {
		merged := make(map[string]any)
		names := maps.Clone(theirs)
		maps.Copy(names, own)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			_, in := theirs[name]
			_, kept := own[name]
			if value := JSON(m, of+"."+name, before[name], theirs[name], own[name]); value != nil || in && kept {
				merged[name] = value
			}
		}
		return merged
	}
	had, _ := was.([]any)
	list, isList := now.([]any)
	if edited, bothAre := mine.([]any); isList && bothAre {
		return List(m, of, had, list, edited, model.Canonical)
	}
	return Value(m, of, was, now, mine, model.SameValue, func(value any) string { return words(value, value == nil) })
}

func words(value any, none bool) string {
	text, err := json.Marshal(value)
	if err != nil || none {
		return "nothing"
	}
	return string(text)
}
