package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/tui/dashboard"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// shop is a backend of an API with five paths, with the environments dev, qa and
// prod, of which prod is guarded.
func shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	must(t, b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}))
	for _, name := range []string{"books", "items", "ordersOfUsersOfTheShop"} {
		must(t, b.AddFunction(&model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	}
	must(t, b.AddEnvironment(&model.Environment{
		Name: "qa", Provider: model.Local, Branch: "release",
		Parameters: []model.Variable{{Name: "pool", Value: "small"}},
		Variables:  []model.FunctionVariables{{Function: "books", Values: []model.Variable{{Name: "LOG", Value: "debug"}}}},
	}))
	must(t, b.AddGroup("Admins"))
	read := model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.Actions(model.Read)}
	guests := model.Grant{To: model.Principal{Kind: model.Guest}, Actions: model.Actions(model.Read)}
	admins := model.Grant{To: model.Principal{Kind: model.Group, Group: "Admins"}, Actions: model.EveryAction}
	must(t, b.AddAPI(&model.API{Label: "shop", Paths: []*model.Path{
		{Name: "/items", Function: "items", Access: model.Access{Setting: model.Open}},
		{Name: "/books/{isbn}", Function: "books", Access: model.Access{Setting: model.Protected, Grants: []model.Grant{read, guests}}},
		{Name: "/books", Function: "books", Access: model.Access{Setting: model.Open}},
		{Name: "/users/{user}/orders/{order}/positions/{position}", Function: "ordersOfUsersOfTheShop", Access: model.Access{Setting: model.Private, Grants: []model.Grant{read, admins}}},
		{Name: "/old", Function: "items", Access: model.Access{Setting: model.Open}},
	}}))
	must(t, b.AddEnvironment(&model.Environment{
		Name: "prod", Provider: model.AWS, Account: "123456789012", Branch: "main", Guarded: true, APIs: []string{"shop"},
	}))
	return b
}

// written makes a project of a backend in a folder.
func written(t testing.TB, dir string, b *model.Backend) {
	t.Helper()
	fsys, err := disk.Open(dir)
	must(t, err)
	p := project.New(fsys, fsys.Close)
	plan, err := p.Plan(b)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
}

// pushed deploys an environment.
func pushed(t testing.TB, dir, env string) {
	t.Helper()
	p := reload(t, dir)
	provider := deploy.Local{Index: deploy.OpenIndex(filepath.Join(filepath.Dir(dir), "state"))}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	_, err := provider.Push(context.Background(), deploy.Target{Project: p, Environment: p.Backend.Environment(env), Now: at}, func(deploy.Event) {})
	must(t, err)
}

// changed edits a project.
func changed(t testing.TB, dir string, edit func(*model.Backend) error) {
	t.Helper()
	p := reload(t, dir)
	next, err := p.Backend.Edit(edit)
	must(t, err)
	plan, err := p.Plan(next)
	must(t, err)
	must(t, plan.Commit())
}

// put writes a file of a project.
func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(text), 0o644))
}

// changedShop is the shop in a folder, pushed to dev and changed since.
func changedShop(t testing.TB) string {
	t.Helper()
	dir := folder(t)
	written(t, dir, shop(t))
	pushed(t, dir, "dev")
	changed(t, dir, func(b *model.Backend) error {
		read := model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.Actions(model.Read)}
		must(t, b.UpdatePath("shop", "/books", &model.Path{Name: "/books", Function: "books", Access: model.Access{Setting: model.Private, Grants: []model.Grant{read}}}))
		must(t, b.RemovePath("shop", "/old"))
		must(t, b.AddFunction(&model.Function{Name: "news", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
		must(t, b.AddPath("shop", &model.Path{Name: "/news", Function: "news", Access: model.Access{Setting: model.Open}}))
		return b.AddAPI(&model.API{Label: "admin", Paths: []*model.Path{{Name: "/{proxy+}", Function: "news", Access: model.Access{Setting: model.Open}}}})
	})
	put(t, dir, "backend/function/items/src/index.js", "exports.handler = async () => ({ statusCode: 204 })\n")
	return dir
}

// look opens the dashboard alone, as its command does.
func look(t testing.TB, dir, theme string, w, h int, route dashboard.Route) *terminal {
	t.Helper()
	o := Options{Dir: dir, Theme: theme, Start: route, Environ: []string{"TERM=xterm-256color"}}
	return begin(t, o, nil, w, h)
}
