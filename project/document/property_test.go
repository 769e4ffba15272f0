package document

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "gatewright/test/depth" // says how often a property is tried
)

// anyValue draws a JSON value, deep levels deep at most.
func anyValue(deep int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kinds := 5
		if deep == 0 {
			kinds = 3
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return rapid.SampledFrom([]string{"", "read", "create", "é\"\n,:{}[]"}).Draw(t, "string")
		case 1:
			return rapid.IntRange(-2, 2).Draw(t, "number")
		case 2:
			return rapid.SampledFrom([]any{true, false, nil}).Draw(t, "literal")
		case 3:
			return rapid.SliceOfN(anyValue(deep-1), 0, 4).Draw(t, "array")
		default:
			return anyTree(deep).Draw(t, "object")
		}
	})
}

func anyKey() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "/f\"{id}", "é\\"})
}

func anyTree(deep int) *rapid.Generator[tree] {
	return rapid.Custom(func(t *rapid.T) tree {
		var out tree
		for _, key := range rapid.SliceOfNDistinct(anyKey(), 0, 5, rapid.ID).Draw(t, "keys") {
			out = append(out, member{key, anyValue(max(deep-1, 0)).Draw(t, "value")})
		}
		return out
	})
}

// edited draws a tree with a few differences from a given one.
func edited(t *rapid.T, from tree, deep int) tree {
	out := from
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		at := rapid.IntRange(0, len(out)).Draw(t, "at")
		key := anyKey().Draw(t, "key")
		fresh := out.at(key) < 0
		switch kind := rapid.IntRange(0, 3).Draw(t, "edit"); {
		case kind == 0 && fresh:
			out = out.with(at, 0, member{key, anyValue(deep).Draw(t, "value")})
		case at == len(out):
		case kind == 1:
			out = out.with(at, 1)
		case kind == 2 && fresh:
			out = out.with(at, 1, member{key, out[at].value})
		default:
			var value any
			if inner, ok := out[at].value.(tree); ok && deep > 0 {
				value = edited(t, inner, deep-1)
			} else {
				value = anyValue(deep).Draw(t, "value")
			}
			out = out.with(at, 1, member{out[at].key, value})
		}
	}
	return out
}

// unknown draws a tree with additional members, whose keys start with x, and
// the members of objects in another order.
func unknown(t *rapid.T, known tree) tree {
	var out tree
	for _, m := range rapid.Permutation(known).Draw(t, "order") {
		if inner, ok := m.value.(tree); ok {
			m.value = unknown(t, inner)
		}
		if rapid.Bool().Draw(t, "unknown key") {
			out = append(out, member{"x" + m.key, anyValue(1).Draw(t, "unknown value")})
		}
		out = append(out, m)
	}
	return out
}

// knownOnly removes the members that unknown added.
func knownOnly(v any) any {
	members, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for key, value := range members {
		if key[0] != 'x' {
			out[key] = knownOnly(value)
		}
	}
	return out
}

func TestAnyChangeInAnyLayout(t *testing.T) {
	t.Parallel()
	rendering := layout{newline: "\n", unit: "  ", colon: ": "}
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(layouts()).Draw(t, "layout")
		known := anyTree(3).Draw(t, "known")
		wanted := edited(t, known, 3)
		disk := mustParse(t, l.render(unknown(t, known)))
		before, after := []byte(rendering.render(known)), []byte(rendering.render(wanted))
		got, err := disk.Change(before, after)
		if err != nil {
			t.Fatal(err)
		}
		result := mustParse(t, string(got))
		want := mustParse(t, quote(knownOnly(meaning(t, string(after)))))
		have := mustParse(t, quote(knownOnly(meaning(t, string(got)))))
		if !equal(want.Root(), have.Root()) {
			t.Fatalf("the file\n%s\nbecame\n%s", disk.Bytes(), got)
		}
		if l.newline == "" && bytes.ContainsRune(bytes.TrimSpace(got), '\n') && disk.Root().Len() > 0 {
			t.Fatalf("one line became\n%s", got)
		}
		again, err := result.Change(before, after)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, got) {
			t.Fatalf("done twice\n%s\nbecomes\n%s", got, again)
		}
	})
}

// sameOrder reports whether the keys that two values share are in the same order, on all
// levels; a removed key may be any new one.
func sameOrder(x, y any) bool {
	a, okA := x.(tree)
	b, okB := y.(tree)
	if !okA || !okB {
		return true
	}
	last := -1
	for _, m := range a {
		if i := b.at(m.key); i >= 0 {
			if i < last || !sameOrder(m.value, b[i].value) {
				return false
			}
			last = i
			continue
		}
		for _, n := range b {
			if a.at(n.key) < 0 && !sameOrder(m.value, n.value) {
				return false
			}
		}
	}
	return true
}

func TestChangedFilesLookAsIfTheyHadBeenWrittenThatWay(t *testing.T) {
	t.Parallel()
	rendering := layout{newline: "\n", unit: "  ", colon: ": "}
	shown := slices.DeleteFunc(layouts(), func(l layout) bool { return l.odd || l.flatArrays || l.pad != "" })
	rapid.Check(t, func(t *rapid.T) {
		l := rapid.SampledFrom(shown).Draw(t, "layout")
		known := anyTree(3).Draw(t, "known")
		wanted := edited(t, known, 3)
		if len(known) == 0 || !sameOrder(known, wanted) {
			t.Skip("no layout to see, or members that moved")
		}
		got := mustChange(t, l.render(known), rendering.render(known), rendering.render(wanted))
		if want := l.render(wanted); got != want {
			t.Fatalf("from\n%s\nwant\n%s\ngot\n%s", l.render(known), want, got)
		}
	})
}
