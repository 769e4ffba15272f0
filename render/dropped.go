package render

import (
	"maps"
	"slices"
	"strings"

	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// Dropped lists the leaves of have that want lacks, and the items of arrays of have that the
// array of want lacks: `/auth/username_attributes: "email"`. Arrays of the sections are
// compared as sets, arrays under `custom` and `model_introspection` with the number of equal
// items. The lines are sorted and printable. `$schema` is a member like any other.
func Dropped(have, want model.Outputs) []string {
	var d droppedLines
	d.members(plain(have), plain(want), "", false)
	slices.Sort(d.lines)
	return d.lines
}

// droppedLines collects the lines of Dropped.
type droppedLines struct{ lines []string }

func (d *droppedLines) members(have map[string]any, want any, at string, inFreeForm bool) {
	wanted, _ := want.(map[string]any)
	for name, value := range have {
		pointer := at + "/" + model.PointerSegment(name)
		other, kept := wanted[name]
		members, isObject := value.(map[string]any)
		items, isArray := value.([]any)
		others, bothArrays := other.([]any)
		switch {
		case !kept:
			eachLeaf(value, pointer, func(leaf string, _ any) { d.lines = append(d.lines, place(leaf)) })
		case isObject:
			d.members(members, other, pointer, inFreeForm || freeForm(pointer))
		case isArray && bothArrays:
			d.items(items, others, pointer, inFreeForm)
		}
	}
}

func (d *droppedLines) items(have, want []any, pointer string, inFreeForm bool) {
	left := make(map[string]int, len(want))
	for _, item := range want {
		left[model.Canonical(item)]++
	}
	for _, item := range have {
		key := model.Canonical(item)
		switch n := left[key]; {
		case n == 0:
			d.lines = append(d.lines, place(pointer)+": "+cut(shown(pointer, item)))
			if !inFreeForm {
				left[key] = 1
			}
		case inFreeForm:
			left[key] = n - 1
		}
	}
}

// freeForm reports whether the value at a pointer may have any form.
func freeForm(pointer string) bool {
	return pointer == "/custom" || pointer == "/data/model_introspection"
}

// eachMember calls leaf for the leaves of an object's members, sorted by name.
func eachMember(members map[string]any, at string, leaf func(pointer string, value any)) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		eachLeaf(members[name], at+"/"+model.PointerSegment(name), leaf)
	}
}

func eachLeaf(value any, pointer string, leaf func(pointer string, value any)) {
	if members, ok := value.(map[string]any); ok && len(members) > 0 {
		eachMember(members, pointer, leaf)
		return
	}
	leaf(pointer, value)
}

// plain returns values in the types of model.ParseOutputs. Values that cannot be written as
// JSON stay as they are.
func plain(values model.Outputs) map[string]any {
	own, err := model.OutputsOf(values)
	if err != nil {
		return values
	}
	return own
}

// place returns a printable JSON pointer, each of its segments quoted by itself.
func place(pointer string) string {
	segments := strings.Split(pointer, "/")
	for i, segment := range segments[1:] {
		segments[i+1] = phrase.Quote(segment)
	}
	return strings.Join(segments, "/")
}
