package render

import (
	"slices"

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
