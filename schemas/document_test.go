package schemas

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// rich returns a valid document that uses every field of a schema.
func rich(t testing.TB, schema string) any {
	t.Helper()
	text, err := os.ReadFile("testdata/" + schema + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

// decode reads JSON into maps and slices, keeping numbers as they are written.
func decode(t testing.TB, text []byte) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return value
}

func encode(t testing.TB, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// with returns a document with the value at a pointer set to the JSON given.
func with(t testing.TB, doc any, at, text string) []byte {
	t.Helper()
	parent, last := holder(t, doc, at)
	switch parent := parent.(type) {
	case map[string]any:
		parent[last] = decode(t, []byte(text))
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil {
			t.Fatal(err)
		}
		parent[i] = decode(t, []byte(text))
	}
	return encode(t, doc)
}

// without returns a document that lacks the field at a pointer.
func without(t testing.TB, doc any, at string) []byte {
	t.Helper()
	parent, last := holder(t, doc, at)
	delete(parent.(map[string]any), last)
	return encode(t, doc)
}

func holder(t testing.TB, doc any, at string) (parent any, last string) {
	t.Helper()
	parent, last = holderIn(doc, at)
	if parent == nil {
		t.Fatalf("no object at the parent of %s", at)
	}
	return parent, last
}

// holderIn returns the parent of the value at a pointer, nil if there is none, and the name
// or position of the value in it.
func holderIn(doc any, at string) (parent any, last string) {
	names := strings.Split(at, "/")[1:]
	for i, name := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	for _, name := range names[:len(names)-1] {
		switch parent := doc.(type) {
		case map[string]any:
			doc = parent[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(parent) {
				return nil, ""
			}
			doc = parent[i]
		default:
			return nil, ""
		}
	}
	return doc, names[len(names)-1]
}

// problems validates a JSON document by an existing schema.
func problems(t testing.TB, schema string, doc []byte) []Problem {
	t.Helper()
	found, err := Validate(schema, doc)
	if err != nil {
		t.Fatalf("Validate(%q, %.200s): %v", schema, doc, err)
	}
	return found
}

func accepts(t testing.TB, schema string, doc []byte) {
	t.Helper()
	if found := problems(t, schema, doc); len(found) > 0 {
		t.Errorf("%s refuses %.300s\nfor %+v", schema, doc, found)
	}
}

// refuses checks that a document has exactly one problem, and where.
func refuses(t testing.TB, schema, at string, doc []byte) {
	t.Helper()
	found := problems(t, schema, doc)
	if len(found) == 0 {
		t.Errorf("%s accepts %.300s", schema, doc)
	}
	if slices.ContainsFunc(found, func(p Problem) bool { return p.Pointer != at }) {
		t.Errorf("%s: problems %+v, want all of them at %q", schema, found, at)
	}
}

func TestRichDocumentsAreValid(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		accepts(t, name, encode(t, rich(t, name)))
	}
}
