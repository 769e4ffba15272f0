package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// manyPaths renders a cli-inputs file of n paths with the access given.
func manyPaths(n int, access string) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"version\": 1,\n  \"paths\": {")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %q: %s", pathKey(i), pathEntry(i, access))
	}
	b.WriteString("\n  }\n}\n")
	return []byte(b.String())
}

func pathKey(i int) string { return fmt.Sprintf("/items%d/{id}", i) }

func pathEntry(i int, access string) string {
	return fmt.Sprintf(`{
      "name": %q,
      "lambdaFunction": "items%d",
      "permissions": {
        "setting": "private",
        "auth": [
          "read",
          %q
        ],
        "groups": {
          "Admins": [
            "create",
            "read",
            "update",
            "delete"
          ]
        }
      }
    }`, pathKey(i), i, access)
}

func BenchmarkParse10000Paths(b *testing.B) {
	src := manyPaths(10_000, "create")
	b.Run("document", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(src, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParse50MB(b *testing.B) {
	src := manyPaths(120_000, "create")
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChange10000Paths compares changes of a parsed file with writing the whole
// file.
func BenchmarkChange10000Paths(b *testing.B) {
	src := manyPaths(10_000, "create")
	only := func(i int, access string) []byte {
		return fmt.Appendf(nil, `{"paths":{%q:%s}}`, pathKey(i), pathEntry(i, access))
	}
	minified := func(text []byte) []byte {
		var out bytes.Buffer
		if err := json.Compact(&out, text); err != nil {
			b.Fatal(err)
		}
		return out.Bytes()
	}
	cases := []struct {
		name                string
		disk, before, after []byte
	}{
		{"one", src, only(5_000, "create"), only(5_000, "update")},
		{"insert", src, []byte(`{"paths":{}}`), only(10_001, "update")},
		{"delete", src, only(5_000, "create"), []byte(`{"paths":{}}`)},
		{"all", src, src, manyPaths(10_000, "update")},
		{"all-minified", minified(src), src, manyPaths(10_000, "update")},
		{"rename-all", src, src, bytes.ReplaceAll(src, []byte("/items"), []byte("/things"))},
		{"delete-all", src, src, []byte(`{"paths":{}}`)},
		{"insert-all", []byte("{\n  \"paths\": {\n    \"/\": {}\n  }\n}\n"), []byte(`{"paths":{}}`), src},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			d, err := Parse(c.disk)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				d.indexes.Clear()
				if _, err := d.Change(c.before, c.after); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("MarshalIndent", func(b *testing.B) {
		var v any
		if err := json.Unmarshal(src, &v); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.MarshalIndent(v, "", "  "); err != nil {
				b.Fatal(err)
			}
		}
	})
}
