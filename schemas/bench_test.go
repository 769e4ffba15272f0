package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// manyPaths returns a REST API definition with this many paths.
func manyPaths(n int) []byte {
	var text strings.Builder
	text.WriteString(`{"version": 1, "paths": {`)
	for i := range n {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"/path%d/{id}": {"name": "/path%d/{id}", "lambdaFunction": "f%d", "permissions": `+
			`{"setting": "protected", "auth": ["create", "read"], "guest": ["read"], "groups": {"Admins": ["create", "read", "update", "delete"]}}}`, i, i, i)
	}
	text.WriteString(`}}`)
	return []byte(text.String())
}

// BenchmarkPaths compares Validate (the engine for each entry), a second validator, and the
// engine for the whole document at once, whose time is quadratic in the paths.
func BenchmarkPaths(b *testing.B) {
	second := oracle(b, "cli-inputs")
	text, err := Source("cli-inputs")
	if err != nil {
		b.Fatal(err)
	}
	published := decode(b, text).(map[string]any)
	delete(published, "$id")
	whole, err := newEngine(encode(b, published))
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{100, 1_000, 10_000} {
		doc := manyPaths(n)
		b.Run(fmt.Sprintf("paths=%d/validator=ours", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if found, err := Validate("cli-inputs", doc); err != nil || len(found) > 0 {
					b.Fatal(found, err)
				}
			}
		})
		b.Run(fmt.Sprintf("paths=%d/validator=second", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
				if err == nil {
					err = second.Validate(value)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("paths=%d/validator=whole", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				var value any
				if err := json.Unmarshal(doc, &value); err != nil {
					b.Fatal(err)
				}
				if objection := whole.objection(value); objection != "" {
					b.Fatal(objection)
				}
			}
		})
	}
}

// BenchmarkFirstUse compiles a schema, here and in the second validator.
func BenchmarkFirstUse(b *testing.B) {
	text, err := Source("client-config")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("validator=ours", func(b *testing.B) {
		for b.Loop() {
			if _, err := parseRule(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("validator=second", func(b *testing.B) {
		for b.Loop() {
			compileOracle(b, decode(b, text))
		}
	})
}

// BenchmarkHostile shows that time grows with size, not with its square.
func BenchmarkHostile(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		doc := []byte(`{"version": 1, "groups": [` + strings.Repeat(`"a b",`, n) + `"a"]}`)
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if found, err := Validate("auth", doc); err != nil || len(found) != maxProblems+1 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}
