package project_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gatewright/project/document"
	"gatewright/project/jsonpath"
)

func TestAPathLeadsToItsValues(t *testing.T) {
	t.Parallel()
	doc, err := document.Parse([]byte(`{"items": [{"id": 1, "tags": ["x", "y"]}, {"id": 2, "deep": {"id": 3}}], "a b": {"it's": true}, "id": null, "é-1": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"$": "", "$.items[0].id": "/items/0/id", "$.items[-1].id": "/items/1/id", "$.items[*].id": "/items/0/id /items/1/id",
		"$..id": "/items/0/id /items/1/id /items/1/deep/id /id", "$['a b']['it\\'s']": "/a b/it's", `$["a b"].*`: "/a b/it's",
		"$.items[0].tags.*": "/items/0/tags/0 /items/0/tags/1", "$..[1]": "/items/0/tags/1 /items/1", "$.items[7]": "none", "$.items.id": "none", "$.items[-3]": "none",
		"$.é-1": "/é-1", "$..deep..id": "/items/1/deep/id",
	} {
		path, err := jsonpath.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var pointers []string
		for _, m := range path.Find(doc.Root()) {
			pointers = append(pointers, m.Pointer)
			if at, found := doc.Find(m.Pointer); !found || string(at.Raw()) != string(m.Node.Raw()) {
				t.Errorf("%s: %s is not %s", text, m.Pointer, m.Node.Raw())
			}
		}
		if want == "none" && pointers != nil || want != "none" && !slices.Equal(pointers, split(want)) {
			t.Errorf("%s leads to %q, want %q", text, pointers, want)
		}
	}
}

// split divides pointers at a space before a slash.
func split(text string) []string {
	all := strings.Split(text, " /")
	for i := range all[1:] {
		all[i+1] = "/" + all[i+1]
	}
	return all
}

func TestWhatIsNoPathIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "does not begin with $", "a": "does not begin with $", "$a": "a . or a [ is missing at character 2", "$.": "a name is missing", "$[": "a ] is missing",
		"$['a": "does not end", "$[a]": "neither a number", "$..": "a name is missing", "$.a b": "a . or a [ is missing at character 4", "$['a'": "a ] is missing", "$[1:2]": "neither a number",
	} {
		if _, err := jsonpath.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestNoTextBreaksThePaths(t *testing.T) {
	t.Parallel()
	doc, err := document.Parse([]byte(`{"a": [[1], {"b": 2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("$.[]*'\"ab01-\\é "))).Draw(r, "text")
		if path, err := jsonpath.Parse(text); err == nil {
			path.Find(doc.Root())
		} else if strings.Contains(err.Error(), "\n") {
			r.Fatalf("%q: the error has several lines", text)
		}
	})
}
