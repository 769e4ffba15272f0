package render

import (
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// Pointers lists the JSON pointers of all leaves, sorted. An array is a leaf,
// and so is an empty object; an empty file has none.
func Pointers(values model.Outputs) []string {
	var pointers []string
	eachMember(plain(values), "", func(pointer string, _ any) { pointers = append(pointers, pointer) })
	slices.Sort(pointers)
	return pointers
}

// Dropped lists the leaves of have for which want has nothing at that place, and
// the items that an array of have has and the array of want at that place lacks:
// `/auth/username_attributes: "email"`. Of the sections' arrays, which are sets,
// an item is there or not; under `custom` and `model_introspection` each time
// that it is there counts. The lines are sorted and fit for a terminal.
// `$schema` counts like any other member: compare what both files hold.
func Dropped(have, want model.Outputs) []string {
	var d dropping
	d.members(plain(have), plain(want), "", false)
	slices.Sort(d.lines)
	return d.lines
}

// dropping collects what is dropped.
type dropping struct{ lines []string }

func (d *dropping) members(have map[string]any, want any, at string, free bool) {
	there, _ := want.(map[string]any)
	for name, value := range have {
		pointer := at + "/" + model.PointerToken(name)
		other, kept := there[name]
		members, isObject := value.(map[string]any)
		items, isArray := value.([]any)
		others, bothArrays := other.([]any)
		switch {
		case !kept:
			eachLeaf(value, pointer, func(leaf string, _ any) { d.lines = append(d.lines, place(leaf)) })
		case isObject:
			d.members(members, other, pointer, free || freeForm(pointer))
		case isArray && bothArrays:
			d.items(items, others, pointer, free)
		}
	}
}

func (d *dropping) items(have, want []any, pointer string, free bool) {
	left := make(map[string]int, len(want))
	for _, item := range want {
		left[model.Canonical(item)]++
	}
	for _, item := range have {
		key := model.Canonical(item)
		switch n := left[key]; {
		case n == 0:
			d.lines = append(d.lines, place(pointer)+": "+cut(shown(pointer, item)))
			if !free {
				left[key] = 1
			}
		case free:
			left[key] = n - 1
		}
	}
}

// freeForm reports whether what stands at a pointer has no form of its own.
func freeForm(pointer string) bool {
	return pointer == "/custom" || pointer == "/data/model_introspection"
}

// eachMember goes through the leaves of an object's members, sorted by name.
func eachMember(members map[string]any, at string, leaf func(pointer string, value any)) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		eachLeaf(members[name], at+"/"+model.PointerToken(name), leaf)
	}
}

func eachLeaf(value any, pointer string, leaf func(pointer string, value any)) {
	if members, ok := value.(map[string]any); ok && len(members) > 0 {
		eachMember(members, pointer, leaf)
		return
	}
	leaf(pointer, value)
}

// plain is values as model.ParseOutputs gives them, whatever Go types they have.
// What cannot be written as JSON stays as it is.
func plain(values model.Outputs) map[string]any {
	own, err := model.OutputsOf(values)
	if err != nil {
		return values
	}
	return own
}

// place is a JSON pointer fit for a line of text, each of its names by itself.
func place(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens[1:] {
		tokens[i+1] = model.Quote(token)
	}
	return strings.Join(tokens, "/")
}
