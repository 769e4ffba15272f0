package model_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gatewright/model"
	"gatewright/model/modeltest"
)

func valuesOf(t *testing.T, text string) map[string]any {
	t.Helper()
	values, err := model.ParseOutputs([]byte(text))
	modeltest.Must(t, err)
	return values
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	modeltest.Must(t, err)
	return string(text)
}

func TestAPlaceNamesAValue(t *testing.T) {
	t.Parallel()
	values := valuesOf(t, `{"a": {"b/c": [1, {"d": "x"}], "": null}, "e~f": false}`)
	for pointer, want := range map[string]string{
		"": jsonText(t, values), "/a/b~1c/1/d": `"x"`, "/a/b~1c/0": "1", "/e~0f": "false", "/a/": "null",
		"/a/b~1c/2": "null", "/a/b~1c/-1": "null", "/a/b~1c/-": "null", "/a/b~1c/x": "null", "/g": "null", "/e~0f/h": "null", "/g/h": "null",
	} {
		if got := jsonText(t, model.ValueAt(values, model.PlaceOf(pointer))); got != want {
			t.Errorf("at %q is %s, want %s", pointer, got, want)
		}
	}
}

func TestAValueIsPutAtAPlace(t *testing.T) {
	t.Parallel()
	const text = `{"a":{"b":1},"list":[1,[2]]}`
	for _, tt := range []struct{ pointer, want, err string }{
		{"/a/b", `{"a":{"b":"new"},"list":[1,[2]]}`, ""},
		{"/a/c/d", `{"a":{"b":1,"c":{"d":"new"}},"list":[1,[2]]}`, ""},
		{"/list/0", `{"a":{"b":1},"list":["new",[2]]}`, ""},
		{"/list/1/1", `{"a":{"b":1},"list":[1,[2,"new"]]}`, ""},
		{"/list/2", `{"a":{"b":1},"list":[1,[2],"new"]}`, ""},
		{"/list/-", `{"a":{"b":1},"list":[1,[2],"new"]}`, ""},
		{"/list/-/x", `{"a":{"b":1},"list":[1,[2],{"x":"new"}]}`, ""},
		{"/list/3", text, "/list is an array of 2 items; name a position from 0, or - to append"},
		{"/list/-1", text, "/list is an array of 2 items; name a position from 0, or - to append"},
		{"/list/1/x", text, "/list/1 is an array of 1 item; name a position from 0, or - to append"},
		{"/a/b/c", text, "/a/b is a single value and cannot contain /a/b/c; unset it first"},
	} {
		values := valuesOf(t, text)
		err := model.PutAt(values, model.PlaceOf(tt.pointer), "new")
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("%s: the error is %v, want %s", tt.pointer, err, tt.err)
			}
			continue
		}
		if got := jsonText(t, values); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v\nwant %s", tt.pointer, got, err, tt.want)
		}
	}
}

func TestAValueIsTakenWithTheObjectsThatItLeavesEmpty(t *testing.T) {
	t.Parallel()
	const text = `{"a":{"b":{"c":1}},"d":{"e":1,"f":{}},"list":[1,2,[3]]}`
	for pointer, want := range map[string]string{
		"/a/b/c":    `{"d":{"e":1,"f":{}},"list":[1,2,[3]]}`,
		"/a":        `{"d":{"e":1,"f":{}},"list":[1,2,[3]]}`,
		"/d/e":      `{"a":{"b":{"c":1}},"d":{"f":{}},"list":[1,2,[3]]}`,
		"/list/1":   `{"a":{"b":{"c":1}},"d":{"e":1,"f":{}},"list":[1,[3]]}`,
		"/list/2/0": `{"a":{"b":{"c":1}},"d":{"e":1,"f":{}},"list":[1,2,[]]}`,
		"":          "", "/x": "", "/a/x": "", "/a/x/y": "", "/list/3": "", "/list/-1": "", "/list/-": "", "/d/e/x": "",
	} {
		values := valuesOf(t, text)
		taken := model.TakeAt(values, model.PlaceOf(pointer))
		got := jsonText(t, values)
		if want == "" && (taken || got != text) || want != "" && (!taken || got != want) {
			t.Errorf("%q: %v, %s\nwant %s", pointer, taken, got, strings.TrimSpace(want))
		}
	}
	last := valuesOf(t, `{"a": 1}`)
	if !model.TakeAt(last, []string{"a"}) || jsonText(t, last) != "{}" {
		t.Errorf("the last value is left: %v", last)
	}
}
