package render_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gatewright/model"
	"gatewright/render"
)

func TestEachLeafThatDiffersIsALine(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct{ name, have, want, lines string }{
		{"nothing", `{"a": {"b": [1.0, {"c": null}]}, "e": {}}`, `{"e": {}, "a": {"b": [1, {"c": null}]}}`, ""},
		{"numbers by value", `{"a": 1, "b": 0, "c": 9007199254740993}`, `{"a": 10e-1, "b": -0.0, "c": 9007199254740992}`, `~ /c: 9007199254740993 -> 9007199254740992`},
		{"leaves that came and went", `{"storage": {"bucket_name": "a"}}`, `{"custom": {"x": 1, "y": {"z": []}}}`, `+ /custom/x: 1
+ /custom/y/z: []
- /storage/bucket_name: "a"`},
		{"a value", `{"storage": {"bucket_name": "a"}}`, `{"storage": {"bucket_name": "b"}}`, `~ /storage/bucket_name: "a" -> "b"`},
		{"an array as a whole", `{"a": [1, 2]}`, `{"a": [2, 1]}`, `~ /a: [1,2] -> [2,1]`},
		{"an empty object that is filled", `{"a": {}}`, `{"a": {"b": 1}}`, `+ /a/b: 1`},
		{"a leaf that becomes an object", `{"a": "x"}`, `{"a": {"b": 1}}`, `- /a: "x"
+ /a/b: 1`},
		{"null is a value", `{"a": null}`, `{}`, `- /a: null`},
		{"names that a pointer escapes", `{}`, `{"a/b": {"~": 1}}`, `+ /a~1b/~0: 1`},
		{"a terminal's orders", `{}`, "{\"\\u001b[2J\": \"\\u202e\\u001b\"}", `+ /"\x1b[2J": "\u202e\u001b"`},
		{"a long value", `{}`, `{"a": "` + long + `"}`, `+ /a: "` + long[:79] + `...`},
		{"long values that differ late", `{"a": "` + long + `1"}`, `{"a": "` + long + `2"}`, `~ /a: ...` + long[:20] + `1" -> ...` + long[:20] + `2"`},
		{"a key", `{"data": {"api_key": "s3cret-1"}}`, `{"data": {"api_key": "s3cret-2"}}`, `~ /data/api_key: <redacted> -> <redacted>`},
		{"a key for its placeholder", `{"data": {"api_key": "<API_KEY>"}}`, `{"data": {"api_key": "s3cret"}}`, `~ /data/api_key: "<API_KEY>" -> <redacted>`},
		{"a key in an array", `{"custom": {"list": []}}`, `{"custom": {"list": [{"apiKey": "s3cret"}]}}`, `~ /custom/list: [] -> [{"apiKey":"<redacted>"}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			changes := render.Compare(parsed(t, tt.have), parsed(t, tt.want))
			for _, c := range changes {
				lines = append(lines, c.String())
			}
			if diff := cmp.Diff(tt.lines, strings.Join(lines, "\n")); diff != "" {
				t.Error(diff)
			}
			text, err := json.Marshal(changes)
			if err != nil || strings.Contains(string(text), "s3cret") {
				t.Errorf("as JSON: %s, %v", text, err)
			}
		})
	}
}

func TestAChangeAsJSONHasItsWholeValues(t *testing.T) {
	changes := render.Compare(parsed(t, `{"a": 1.50, "b": null, "c": "x"}`), parsed(t, `{"a": [2], "c": null, "d": false}`))
	got, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"pointer":"/a","change":"changed","old":1.50,"new":[2]},{"pointer":"/b","change":"removed","old":null},` +
		`{"pointer":"/c","change":"changed","old":"x","new":null},{"pointer":"/d","change":"added","new":false}]`
	if string(got) != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

func TestComparingIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		have := drawFile(t)
		if changes := render.Compare(have, have); len(changes) > 0 || len(render.Dropped(have, have)) > 0 {
			t.Fatalf("a file differs from itself: %v", changes)
		}
		var damaged any = map[string]any(have)
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			damaged = drawDamage(t, damaged)
		}
		want, _ := damaged.(map[string]any)
		changes, back := render.Compare(have, want), render.Compare(want, have)
		if len(changes) != len(back) || !slices.IsSortedFunc(changes, func(a, b render.FileChange) int { return strings.Compare(a.Pointer, b.Pointer) }) {
			t.Fatalf("%v one way, %v the other", changes, back)
		}
		gone := 0
		for _, c := range changes {
			if line := c.String(); strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("a line is %q", line)
			}
			if c.Removed {
				gone++
				if !slices.Contains(render.Pointers(have), c.Pointer) || slices.Contains(render.Pointers(want), c.Pointer) {
					t.Fatalf("%s is no leaf that went", c.Pointer)
				}
			}
		}
		// The losses of a file are among its changes.
		if dropped := render.Dropped(have, want); len(dropped) > 0 && len(changes) == 0 || gone > 0 && len(dropped) == 0 && !filled(changes) {
			t.Fatalf("dropped %q, changes %v", dropped, changes)
		}
	})
}

// filled reports whether there is another value in the place of each removed leaf.
func filled(changes []render.FileChange) bool {
	for _, c := range changes {
		in := func(o render.FileChange) bool { return o.Added && strings.HasPrefix(o.Pointer, c.Pointer+"/") }
		if c.Removed && !slices.ContainsFunc(changes, in) {
			return false
		}
	}
	return true
}

func TestPointersListsTheLeaves(t *testing.T) {
	got := render.Pointers(parsed(t, `{"version": "1", "a": {"b": {}, "c/d": [{"e": 1}], "f": null}, "": {"": 1}}`))
	if want := []string{"/a/b", "/a/c~1d", "/a/f", "//", "/version"}; !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("they are %q", got)
	}
	if got := render.Pointers(model.Outputs{}); len(got) != 0 {
		t.Errorf("of an empty file they are %q", got)
	}
}

func TestDroppedListsTheLossesOfAFile(t *testing.T) {
	for _, tt := range []struct{ name, have, want, lines string }{
		{"nothing but order and values", `{"a": 1, "auth": {"username_attributes": ["email", "phone_number"]}}`, `{"auth": {"username_attributes": ["phone_number", "email", "username"]}, "a": {"b": 2}}`, ""},
		{"a section, leaf by leaf", `{"storage": {"cloud_region": "r", "bucket_name": "b"}, "custom": {}}`, `{"custom": {}}`, "/storage/bucket_name\n/storage/cloud_region"},
		{"an item of a set", `{"auth": {"username_attributes": ["email", "email", "phone_number"]}}`, `{"auth": {"username_attributes": ["phone_number"]}}`, `/auth/username_attributes: "email"`},
		{"each time in a list that is free", `{"custom": {"list": [1, 1.0, 2]}}`, `{"custom": {"list": [1]}}`, "/custom/list: 1.0\n/custom/list: 2"},
		{"an object for a value", `{"custom": {"a": {"b": 1, "c": {}}}}`, `{"custom": {"a": 1}}`, "/custom/a/b\n/custom/a/c"},
		{"a key", `{"data": {"api_key": "s3cret"}, "custom": {"apiKeys": [{"api_key": "s3cret"}]}}`, `{"custom": {"apiKeys": []}}`, `/custom/apiKeys: {"api_key":"<redacted>"}` + "\n/data/api_key"},
		{"a terminal's orders", "{\"custom\": {\"\\u001b[2J\": [\"\\u001b\"], \"l\": [\"\\u001b\"]}}", `{"custom": {"l": []}}`, `/custom/"\x1b[2J"` + "\n" + `/custom/l: "\u001b"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.lines, strings.Join(render.Dropped(parsed(t, tt.have), parsed(t, tt.want)), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
