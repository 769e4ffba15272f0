package handler

import (
	"encoding/json"
	"testing"

	"gatewright/model"
)

func TestTheEventIsForAPathOfTheFunction(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{nil, "/items"},
		{[]string{"/"}, "/"},
		{[]string{"/book/{isbn}", "/book"}, "/book/1"},
		{[]string{"/u/{user-id}/{b}"}, "/u/1/1"},
		{[]string{"/{a}/b", "/1"}, "/2/b"},
	} {
		s := expressSpec(c.paths...)
		var got event
		if err := json.Unmarshal(Event(s), &got); err != nil {
			t.Fatal(err)
		}
		if got.Path != c.want {
			t.Errorf("the event for %q has the path %q, want %q", c.paths, got.Path, c.want)
		}
		if got.HTTPMethod != "POST" || !json.Valid([]byte(got.Body)) {
			t.Errorf("the event of %q is %+v", c.paths, got)
		}
	}
}

func TestTheEventOfACRUDFunctionHasAnItem(t *testing.T) {
	t.Parallel()
	table := itemsTable()
	table.PartitionKey.Type = model.BinaryKey
	table.SortKey = model.Key{Name: "msg", Type: model.NumberKey}
	var got event
	if err := json.Unmarshal(Event(Spec{Function: "items", Template: model.CRUD, Table: table}), &got); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"MQ==","msg":1}`; got.Body != want {
		t.Errorf("body %s, want %s", got.Body, want)
	}
}

func TestAnEventIsWrittenForAnySpec(t *testing.T) {
	t.Parallel()
	for _, s := range []Spec{
		{},
		{Paths: []string{""}},
		{Paths: []string{"x", "//", "/{", "{}"}},
		{Template: model.CRUD},
		{Template: model.CRUD, Table: &model.Table{}},
		{Function: "\xff", Paths: []string{"/\xff"}},
	} {
		if !json.Valid(Event(s)) {
			t.Errorf("Event(%+v) is not JSON: %q", s, Event(s))
		}
	}
}
