package aws_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/edit"
)

// start is what a push begins with: what is deployed, and what has changed since.
type start struct {
	name string
	// pushed says that the project was pushed once, and changed then.
	pushed bool
	change func(r *cloudRoom)
	// updates is how many updates the push takes.
	updates int
	// allow are the losses that are allowed.
	allow []string
}

func editing(edit func(b *model.Backend) error) func(*cloudRoom) {
	return func(r *cloudRoom) { r.t.Helper(); r.edit(edit) }
}

var starts = []start{
	{name: "nothing", updates: 1},
	{name: "the same", pushed: true},
	{name: "another access", pushed: true, updates: 1, change: editing(func(b *model.Backend) error {
		return edit.UpdatePath(b, "shop", "/items", deploytest.SignedIn("/items", "items"))
	})},
	{name: "other code", pushed: true, updates: 1, change: func(r *cloudRoom) {
		r.source("exports.handler = async () => ({ statusCode: 204, body: '' })\n")
	}},
	{name: "a path more", pushed: true, updates: 1, change: editing(func(b *model.Backend) error {
		return edit.AddPath(b, "shop", deploytest.Open("/carts", "items"))
	})},
	{name: "a path less", pushed: true, updates: 2, change: editing(func(b *model.Backend) error {
		return edit.RemovePath(b, "shop", "/items")
	})},
	{name: "a renamed variable", pushed: true, updates: 2, change: editing(func(b *model.Backend) error {
		return edit.UpdatePath(b, "shop", "/orders/{id}", deploytest.SignedIn("/orders/{order}", "items"))
	})},
	{name: "two indexes more", pushed: true, updates: 2, change: editing(func(b *model.Backend) error {
		table := *b.Table("books")
		text := func(name string) model.Key { return model.Key{Name: name, Type: model.StringKey} }
		table.Indexes = []model.Index{{Name: "byAuthor", PartitionKey: text("author")}, {Name: "byYear", PartitionKey: text("year")}}
		return edit.UpdateTable(b, &table)
	})},
	{name: "a table less", pushed: true, updates: 1, allow: []string{"books"}, change: editing(func(b *model.Backend) error {
		f := *b.Function("items")
		f.Access = nil
		if err := edit.UpdateFunction(b, &f); err != nil {
			return err
		}
		return edit.Remove(b, model.Ref{Kind: model.KindTable, Name: "books"}, false)
	})},
}

// source writes the source of the function.
func (r *cloudRoom) source(text string) {
	r.t.Helper()
	deploytest.Must(r.t, os.WriteFile(filepath.Join(r.dir, "backend/function/items/src/index.js"), []byte(text), 0o644))
}

// begin makes a room in the state of a start.
func begin(t *testing.T, s start, cache string, o awstest.Options) *cloudRoom {
	t.Helper()
	r := roomInCloud(t, cloudShop(t), cache, o)
	if s.pushed {
		deploytest.Must(t, r.push(pushOptions{}).err)
	}
	if s.change != nil {
		s.change(r)
	}
	return r
}

// startOf finds a start.
func startOf(t testing.TB, name string) start {
	t.Helper()
	for _, s := range starts {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("there is no start %q", name)
	return start{}
}
