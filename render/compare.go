package render

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gatewright/model"
)

// FileChange is a leaf in which two client configuration files differ.
type FileChange struct {
	// Pointer is the JSON pointer of the leaf.
	Pointer string
	// Old is the value before, New the value after; nil if there is none.
	Old, New any
	// Removed says that there is no value after, Added that there was none before.
	Removed, Added bool
}

// Compare lists the leaves that change if want replaces have, sorted by pointer. Numbers are
// compared by value, arrays item by item in their order. An empty object that gets members is
// not listed itself.
func Compare(have, want model.Outputs) []FileChange {
	var c comparison
	c.members(plain(have), plain(want), "")
	slices.SortStableFunc(c.changes, func(a, b FileChange) int { return strings.Compare(a.Pointer, b.Pointer) })
	return c.changes
}

// comparison collects the changes of Compare.
type comparison struct{ changes []FileChange }

func (c *comparison) members(have, want map[string]any, at string) {
	both := maps.Clone(have)
	if both == nil {
		both = make(map[string]any, len(want))
	}
	maps.Copy(both, want)
	for name := range both {
		old, had := have[name]
		next, has := want[name]
		c.member(old, next, had, has, at+"/"+model.PointerSegment(name))
	}
}

func (c *comparison) member(old, next any, had, has bool, pointer string) {
	before, wasObject := old.(map[string]any)
	after, isObject := next.(map[string]any)
	switch {
	case wasObject && isObject:
		c.members(before, after, pointer)
	case had && has && len(before) == 0 && len(after) == 0:
		if !model.SameValue(old, next) {
			c.changes = append(c.changes, FileChange{Pointer: pointer, Old: old, New: next})
		}
	default:
		if had {
			eachLeaf(old, pointer, func(leaf string, value any) {
				c.changes = append(c.changes, FileChange{Pointer: leaf, Old: value, Removed: true})
			})
		}
		if has {
			eachLeaf(next, pointer, func(leaf string, value any) {
				c.changes = append(c.changes, FileChange{Pointer: leaf, New: value, Added: true})
			})
		}
	}
}

// String returns the change as one line that is safe for a terminal: `+ /custom/x: 1`,
// `- /custom/x: 1`, `~ /storage/bucket_name: "a" -> "b"`. Long values are cut.
// A key is shown as model.Redacted (model.WithoutSecrets).
func (c FileChange) String() string {
	old, next := shown(c.Pointer, c.Old), shown(c.Pointer, c.New)
	switch {
	case c.Removed:
		return "- " + place(c.Pointer) + ": " + cut(old)
	case c.Added:
		return "+ " + place(c.Pointer) + ": " + cut(next)
	}
	old, next = cutPair(old, next)
	return fmt.Sprintf("~ %s: %s -> %s", place(c.Pointer), old, next)
}

// cutPair cuts two texts so that their first difference is shown.
func cutPair(a, b string) (string, string) {
	if cut(a) != cut(b) || a == b {
		return cut(a), cut(b)
	}
	const before = 20
	first, second := []rune(a), []rune(b)
	same := 0
	for same < min(len(first), len(second)) && first[same] == second[same] {
		same++
	}
	return "..." + cut(string(first[same-before:])), "..." + cut(string(second[same-before:]))
}

// MarshalJSON writes the pointer, the change (added, removed, changed), and the old and new
// values, not cut but without secrets.
func (c FileChange) MarshalJSON() ([]byte, error) {
	report := struct {
		Pointer string `json:"pointer"`
		Change  string `json:"change"`
		Old     *any   `json:"old,omitempty"`
		New     *any   `json:"new,omitempty"`
	}{Pointer: c.Pointer, Change: "changed"}
	old, next := model.WithoutSecrets(c.Pointer, c.Old), model.WithoutSecrets(c.Pointer, c.New)
	report.Old, report.New = &old, &next
	switch {
	case c.Removed:
		report.Change, report.New = "removed", nil
	case c.Added:
		report.Change, report.Old = "added", nil
	}
	return json.Marshal(report)
}
