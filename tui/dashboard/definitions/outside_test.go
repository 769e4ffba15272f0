package definitions

import (
	"errors"
	"slices"
	"testing"

	"gatewright/flow/merge"
	"gatewright/model"
	"gatewright/project/definition"
	"gatewright/tui/dashboard/board/boardtest"
)

// TestAFormOfFieldsLeavesWhatSomebodyElseChanged has two fields of one form: one is typed.
func TestAFormOfFieldsLeavesWhatSomebodyElseChanged(t *testing.T) {
	t.Parallel()
	b := boardtest.Full(t)
	was, err := definition.Of(b, model.KindAuth, "")
	if err != nil {
		t.Fatal(err)
	}
	c := change{kind: model.KindAuth, fields: leavesOf("password_policy"), merging: merge.New()}
	for _, f := range c.fields {
		c.was = append(c.was, model.ValueAt(was, f.Place))
		c.shown = append(c.shown, question(c.kind, f, model.ValueAt(was, f.Place)).Value)
	}
	at := func(name string) int {
		return slices.IndexFunc(c.fields, func(f definition.Field) bool { return f.Name == name })
	}
	values := slices.Clone(c.shown)
	values[at("min_length")] = "31"
	set, _, err := c.set(values)
	if err != nil {
		t.Fatal(err)
	}
	outside := func(name, text string) *model.Backend {
		f := c.fields[at(name)]
		value, err := f.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		next, err := b.Edit(func(b *model.Backend) error {
			return definition.Edit(b, model.KindAuth, "", definition.Setting{Field: f, Value: value})
		})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	other := "require_numbers"
	flipped := "true"
	if model.ValueAt(was, c.fields[at(other)].Place) == true {
		flipped = "false"
	}
	next, err := outside(other, flipped).Edit(set.make)
	if err != nil {
		t.Fatal(err)
	}
	if p := next.Auth.PasswordPolicy; *p.MinLength != 31 || *p.RequireNumbers != (flipped == "true") {
		t.Errorf("the length is %d, numbers are required: %v", *p.MinLength, *p.RequireNumbers)
	}
	now := outside("min_length", "44")
	var open *merge.OpenError
	if _, err = now.Edit(set.make); !errors.As(err, &open) || open.Yours != "31" || open.Outside != "44" {
		t.Fatalf("what both changed is not asked: %v", err)
	}
	open.Decide(false)
	if next, err = now.Edit(set.make); err != nil || *next.Auth.PasswordPolicy.MinLength != 44 {
		t.Errorf("the value of the files does not stay: %v", err)
	}
}
