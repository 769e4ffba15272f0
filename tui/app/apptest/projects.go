package apptest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/sandbox"
	"gatewright/sandbox/live"
)

// Folder is an empty folder named bookshop.
func Folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bookshop")
	Must(t, os.Mkdir(dir, 0o755))
	return dir
}

// Shop is a backend with the API shop of five paths and the environments dev, qa and
// prod, of which prod is guarded.
func Shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	Must(t, edit.SetProject(b,
		model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	for _, name := range []string{"books", "items", "ordersOfUsersOfTheShop"} {
		Must(t, edit.AddFunction(b, &model.Function{
			Name: name, Runtime: model.NodeJS, Template: model.Plain,
			Handler: "index.handler",
		}))
	}
	Must(t, edit.AddEnvironment(b, &model.Environment{
		Name: "qa", Provider: model.Local, Branch: "release",
		Parameters: []model.Variable{{Name: "pool", Value: "small"}},
		Variables:  []model.FunctionVariables{{Function: "books", Values: []model.Variable{{Name: "LOG", Value: "debug"}}}},
	}))
	Must(t, edit.AddGroup(b, "Admins"))
	read := access.Grant{To: access.Principal{Kind: access.Authenticated}, Actions: access.Actions(access.Read)}
	guests := access.Grant{To: access.Principal{Kind: access.Guest}, Actions: access.Actions(access.Read)}
	admins := access.Grant{To: access.Principal{Kind: access.Group, Group: "Admins"}, Actions: access.EveryAction}
	Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{
		{Name: "/items", Function: "items", Access: access.Access{Setting: access.Open}},
		{
			Name: "/books/{isbn}", Function: "books",
			Access: access.Access{Setting: access.Protected, Grants: []access.Grant{read, guests}},
		},
		{Name: "/books", Function: "books", Access: access.Access{Setting: access.Open}},
		{
			Name: "/users/{user}/orders/{order}/positions/{position}", Function: "ordersOfUsersOfTheShop",
			Access: access.Access{Setting: access.Private, Grants: []access.Grant{read, admins}},
		},
		{Name: "/old", Function: "items", Access: access.Access{Setting: access.Open}},
	}}))
	Must(t, edit.AddEnvironment(b, &model.Environment{
		Name: "prod", Provider: model.AWS, Account: "123456789012", Branch: "main", Guarded: true, APIs: []string{"shop"},
	}))
	return b
}

// Written writes a backend into a new folder.
func Written(t testing.TB, b *model.Backend) string {
	t.Helper()
	dir := Folder(t)
	deploytest.Write(t, dir, b)
	return dir
}

// Pushed pushes an environment, at a fixed time.
func Pushed(t testing.TB, dir, env string) {
	t.Helper()
	deploytest.Push(t, dir, env, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
}

// ChangedShop is a folder with the shop, which was pushed to dev and changed afterwards.
func ChangedShop(t testing.TB) string {
	t.Helper()
	dir := Written(t, Shop(t))
	Pushed(t, dir, "dev")
	deploytest.Change(t, dir, func(b *model.Backend) error {
		read := access.Grant{To: access.Principal{Kind: access.Authenticated}, Actions: access.Actions(access.Read)}
		Must(t, edit.UpdatePath(b, "shop", "/books",
			&access.Path{
				Name: "/books", Function: "books",
				Access: access.Access{Setting: access.Private, Grants: []access.Grant{read}},
			}))
		Must(t, edit.RemovePath(b, "shop", "/old"))
		Must(t, edit.AddFunction(b, &model.Function{
			Name: "news", Runtime: model.NodeJS, Template: model.Plain,
			Handler: "index.handler",
		}))
		Must(t, edit.AddPath(b, "shop",
			&access.Path{Name: "/news", Function: "news", Access: access.Access{Setting: access.Open}}))
		return edit.AddAPI(b, &access.API{
			Label: "admin",
			Paths: []*access.Path{{Name: "/{proxy+}", Function: "news", Access: access.Access{Setting: access.Open}}},
		})
	})
	Put(t, dir, "backend/function/items/src/index.js", "exports.handler = async () => ({ statusCode: 204 })\n")
	return dir
}

// Configured is the shop with a storage definition and two outputs, pushed to dev.
func Configured(t testing.TB) string {
	t.Helper()
	b := Shop(t)
	b.Storage = &model.Storage{Region: "eu-west-1"}
	Must(t, edit.AddNamedOutput(b, "uploads", model.Outputs{"storage": map[string]any{"bucket_name": "uploads"}}))
	Must(t, edit.AddNamedOutput(b, "limits",
		model.Outputs{"custom": map[string]any{"limits": map[string]any{"pages": 20}}}))
	dir := Written(t, b)
	Pushed(t, dir, "dev")
	return dir
}

// Library is the shop with the tables library and events.
func Library(t testing.TB) string {
	t.Helper()
	b := Shop(t)
	Must(t, edit.AddTable(b, &model.Table{
		Name: "library", PartitionKey: model.Key{Name: "isbn", Type: model.StringKey},
		Indexes: []model.Index{{Name: "byYear", PartitionKey: model.Key{Name: "year", Type: model.NumberKey}}},
	}))
	Must(t, edit.AddTable(b, &model.Table{
		Name: "events", PartitionKey: model.Key{Name: "day", Type: model.StringKey},
		SortKey: model.Key{Name: "at", Type: model.NumberKey},
	}))
	return Written(t, b)
}

// Stocked writes n items into the table library.
func Stocked(t testing.TB, dir string, n int) {
	t.Helper()
	state, err := live.MakeState(dir)
	Must(t, err)
	held, err := sandbox.OpenTables(t.Context(), state, "")
	Must(t, err)
	b := Project(t, dir).Backend
	tables := live.TablesOf(b, b.Environment("dev"))
	Must(t, held.Make(t.Context(), tables))
	var lines strings.Builder
	for i := range n {
		_, _ = fmt.Fprintf(&lines, `{"isbn": "%04d", "title": "Book %d", "year": %d}`+"\n", i, i, 1900+i)
	}
	for _, of := range tables {
		if of.Definition.Name == "library" {
			_, err = sandbox.Items{Tables: held, Table: of}.Import(t.Context(), "f", strings.NewReader(lines.String()), nil)
			Must(t, err)
		}
	}
	Must(t, held.Close())
}

// StockedLibrary is Library with 40 items, pushed to dev.
func StockedLibrary(t testing.TB) string {
	t.Helper()
	dir := Library(t)
	Stocked(t, dir, 40)
	Pushed(t, dir, "dev")
	return dir
}
