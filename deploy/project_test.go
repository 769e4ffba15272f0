package deploy_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
)

// shop defines the environments dev (branch dev) and prod (branch main), and an
// API with one open path.
func shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	must(t, b.SetProject(model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	must(t, b.AddEnvironment(&model.Environment{Name: "dev", Provider: model.Local}))
	must(t, b.AddEnvironment(&model.Environment{Name: "prod", Provider: model.Local, Branch: "main"}))
	must(t, b.AddFunction(function("items")))
	must(t, b.AddAPI(&model.API{Label: "shop", Paths: []*model.Path{open("/items", "items")}}))
	return b
}

func function(name string) *model.Function {
	return &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}
}

func open(name, function string) *model.Path {
	return &model.Path{Name: name, Function: function, Access: model.Access{Setting: model.Open}}
}

func signedIn(name, function string) *model.Path {
	grant := model.Grant{To: model.Principal{Kind: model.Authenticated}, Actions: model.EveryAction}
	return &model.Path{Name: name, Function: function, Access: model.Access{Setting: model.Private, Grants: []model.Grant{grant}}}
}

// made makes a project in a folder and opens it.
func made(t testing.TB, dir string, b *model.Backend) *project.Project {
	t.Helper()
	fsys, err := disk.Open(dir)
	must(t, err)
	start := project.New(fsys, fsys.Close)
	plan, err := start.Plan(b)
	must(t, err)
	must(t, plan.Commit())
	must(t, start.Close())
	return opened(t, dir)
}

func opened(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// edited edits a project and opens it again.
func edited(t testing.TB, p *project.Project, edit func(*model.Backend) error) *project.Project {
	t.Helper()
	next, err := p.Backend.Edit(edit)
	must(t, err)
	plan, err := p.Plan(next)
	must(t, err)
	must(t, plan.Commit())
	return opened(t, p.Root)
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func target(p *project.Project, env string) deploy.Target {
	return deploy.Target{Project: p, Environment: p.Backend.Environment(env), Now: noon}
}

// push pushes an environment without an error and returns the events.
func push(t testing.TB, index deploy.Index, p *project.Project, env string) (project.Record, []string) {
	t.Helper()
	record, told, err := pushing(index, p, env)
	must(t, err)
	return record, told
}

func pushing(index deploy.Index, p *project.Project, env string) (project.Record, []string, error) {
	var told []string
	record, err := deploy.Local{Index: index}.Push(context.Background(), target(p, env), func(e deploy.Event) {
		told = append(told, e.Kind.String()+": "+e.String())
	})
	return record, told, err
}

// files returns the names of the files below a folder, without those of packages.
func files(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*", "*/*", "*/*/*", "*/*/*/*"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		must(t, err)
		names = append(names, found...)
	}
	slices.Sort(names)
	return names
}
