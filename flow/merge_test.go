package flow_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/flow/merge"
	"gatewright/model"
)

func TestEntriesThatTwoPeopleChangedApartAreAllKept(t *testing.T) {
	t.Parallel()
	name := func(entry string) string {
		name, _, _ := strings.Cut(entry, "=")
		return name
	}
	for _, of := range []struct{ was, now, mine, want string }{
		{"a=1", "a=1 b=2", "a=1 c=3", "a=1 c=3 b=2"},
		{"", "b=2", "c=3", "c=3 b=2"},
		{"a=1 b=2", "b=2", "a=1 b=2 c=3", "b=2 c=3"},
		{"a=1 b=2", "a=7 b=2", "a=1 b=3", "b=3 a=7"},
		{"a=1", "a=1 b=2", "a=1 b=2", "a=1 b=2"},
		{"a=1", "a=1 b=2 c=3", "a=1 b=2 d=4", "a=1 b=2 d=4 c=3"},
		{"a=1 b=2", "b=2 a=1", "a=1 b=2", "b=2 a=1"},
		// The same entry, or another order, is a question.
		{"a=1", "a=2", "a=3", "?"},
		{"a=1", "", "a=3", "?"},
		{"", "a=2", "a=3", "?"},
		{"a=1 b=2", "b=2 a=1", "a=1 b=2 c=3", "?"},
	} {
		m := merge.New()
		got := strings.Join(merge.List(m, "the list", strings.Fields(of.was), strings.Fields(of.now), strings.Fields(of.mine), name), " ")
		if m.Err() != nil {
			got = "?"
		}
		if got != of.want {
			t.Errorf("%q became %q, and %q here: %q, want %q", of.was, of.now, of.mine, got, of.want)
		}
	}
}

func TestValuesOfAnObjectAreMergedByTheirNames(t *testing.T) {
	t.Parallel()
	object := func(text string) any {
		values, err := model.ParseOutputs([]byte(text))
		must(t, err)
		return map[string]any(values)
	}
	for _, of := range []struct{ was, now, mine, want, open string }{
		{`{"a": 1}`, `{"a": 1, "b": 2}`, `{"a": 1, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, ""},
		{`{"a": {"x": 1, "y": 2}}`, `{"a": {"x": 7, "y": 2}}`, `{"a": {"x": 1}}`, `{"a": {"x": 7}}`, ""},
		{`{"a": ["x"], "n": null}`, `{"a": ["x", "y"], "n": null}`, `{"a": ["x", "z"], "n": null}`, `{"a": ["x", "z", "y"], "n": null}`, ""},
		{`{"a": 1}`, `{"a": 2, "b": 1}`, `{"a": 3}`, `{"a": 3, "b": 1}`, "o.a"},
		{`{"a": {"x": 1}}`, `{}`, `{"a": {"x": 2}}`, `{"a": {"x": 2}}`, "o.a"},
	} {
		m := merge.New()
		got := merge.JSON(m, "o", object(of.was), object(of.now), object(of.mine))
		open := ""
		if err := m.Err(); err != nil {
			open = err.Of
		}
		if diff := cmp.Diff(object(of.want), got); diff != "" || open != of.open {
			t.Errorf("%s became %s, and %s here: open %q\n%s", of.was, of.now, of.mine, open, diff)
		}
	}
}
