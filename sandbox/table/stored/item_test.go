package stored

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"gatewright/sandbox/table/attribute"
)

// values draws any value that nests at most depth levels.
func values(depth int) *rapid.Generator[*attribute.Value] {
	return rapid.Custom(func(t *rapid.T) *attribute.Value {
		kinds := []attribute.Kind{attribute.S, attribute.N, attribute.B, attribute.BOOL, attribute.NULL, attribute.SS, attribute.NS, attribute.BS}
		if depth > 0 {
			kinds = append(kinds, attribute.M, attribute.L)
		}
		v := &attribute.Value{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		texts := rapid.SliceOfNDistinct(rapid.String(), 1, 4, rapid.ID[string])
		switch v.Kind {
		case attribute.S:
			v.Text = rapid.String().Draw(t, "text")
		case attribute.N:
			v.Text = number(t)
		case attribute.B:
			v.Bytes = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		case attribute.BOOL:
			v.Bool = rapid.Bool().Draw(t, "bool")
		case attribute.SS:
			v.Texts = texts.Draw(t, "texts")
		case attribute.NS:
			v.Texts = []string{number(t)}
		case attribute.BS:
			v.Blobs = [][]byte{rapid.SliceOf(rapid.Byte()).Draw(t, "blob")}
		case attribute.L:
			v.List = rapid.SliceOfN(values(depth-1), 0, 4).Draw(t, "list")
		case attribute.M:
			v.Map = rapid.MapOfN(rapid.String(), values(depth-1), 0, 4).Draw(t, "map")
		}
		return v
	})
}

func number(t *rapid.T) string {
	text, err := attribute.CanonicalNumber(rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,15})?(e-?[0-9]{1,2})?`).Draw(t, "number"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func items() *rapid.Generator[attribute.Item] {
	return rapid.Custom(func(t *rapid.T) attribute.Item {
		return rapid.MapOfN(rapid.String(), values(3), 0, 6).Draw(t, "item")
	})
}

func TestAStoredItemIsTheItem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		item := items().Draw(t, "item")
		s := Encode(item)
		got, err := s.Decode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(item, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-put +kept\n%s", diff)
		}
		if s.Size() != item.Size() {
			t.Fatalf("size %d, want %d", s.Size(), item.Size())
		}
		names := rapid.SliceOfDistinct(rapid.SampledFrom(append(slices.Sorted(maps.Keys(item)), "none")), rapid.ID[string]).Draw(t, "names")
		part, err := s.Pick(names)
		if err != nil {
			t.Fatal(err)
		}
		want := make(attribute.Item)
		for _, name := range names {
			if v := item[name]; v != nil {
				want[name] = v
			}
		}
		if diff := cmp.Diff(want, part, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-wanted +picked\n%s", diff)
		}
		text, err := s.AppendJSON(nil, nil)
		if err != nil || !bytes.Equal(text, item.AppendJSON(nil)) {
			t.Fatalf("%s, %v\nwant %s", text, err, item.AppendJSON(nil))
		}
		slices.Sort(names)
		text, err = s.AppendJSON(nil, append([]string{}, names...))
		if err != nil || !bytes.Equal(text, want.AppendJSON(nil)) {
			t.Fatalf("%s, %v\nwant %s", text, err, want.AppendJSON(nil))
		}
	})
}

// Any bytes in the file are an item or an error, and never a panic.
func FuzzStored(f *testing.F) {
	f.Add([]byte(Encode(attribute.Item{"a": {Kind: attribute.S, Text: "x"}, "m": {Kind: attribute.M, Map: map[string]*attribute.Value{"l": {Kind: attribute.L}}}})))
	f.Add([]byte{})
	f.Add([]byte{1, 200, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := Item(data)
		_, itemErr := s.Decode()
		text, err := s.AppendJSON(nil, nil)
		if (err == nil) != (itemErr == nil) {
			t.Fatalf("%v, %v", itemErr, err)
		}
		if err == nil && !json.Valid(text) {
			t.Fatalf("%q", text)
		}
		_, _ = s.Pick([]string{"a"})
	})
}
