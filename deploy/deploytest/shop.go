package deploytest

import (
	"context"
	"testing"
	"time"

	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/local"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

// Shop defines the environments dev (branch dev) and prod (branch main), and an API with one open path.
func Shop(t testing.TB) *model.Backend {
	t.Helper()
	b := &model.Backend{}
	Must(t, edit.SetProject(b,
		model.Project{Name: "shop", ApplicationID: "app1", Region: "eu-west-1", Dialect: model.Neutral}))
	Must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	Must(t, edit.AddEnvironment(b, &model.Environment{Name: "prod", Provider: model.Local, Branch: "main"}))
	Must(t, edit.AddFunction(b, Function("items")))
	Must(t, edit.AddAPI(b, &access.API{Label: "shop", Paths: []*access.Path{Open("/items", "items")}}))
	return b
}

// Function is a function that the program makes.
func Function(name string) *model.Function {
	return &model.Function{Name: name, Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}
}

// Open is a path that everybody may ask.
func Open(name, function string) *access.Path {
	return &access.Path{Name: name, Function: function, Access: access.Access{Setting: access.Open}}
}

// SignedIn is a path for those who have signed in.
func SignedIn(name, function string) *access.Path {
	grant := access.Grant{To: access.Principal{Kind: access.Authenticated}, Actions: access.EveryAction}
	return &access.Path{
		Name: name, Function: function,
		Access: access.Access{Setting: access.Private, Grants: []access.Grant{grant}},
	}
}

// Made makes a project in a folder and opens it.
func Made(t testing.TB, dir string, b *model.Backend) *project.Project {
	t.Helper()
	fsys, err := disk.Open(dir)
	Must(t, err)
	start := project.New(fsys, fsys.Close)
	plan, err := plan.Of(start, b)
	Must(t, err)
	Must(t, plan.Commit())
	Must(t, start.Close())
	return Opened(t, dir)
}

// Opened opens a project until the test ends.
func Opened(t testing.TB, dir string) *project.Project {
	t.Helper()
	p, err := project.Open(dir)
	Must(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// Edited edits a project and opens it again.
func Edited(t testing.TB, p *project.Project, edit func(*model.Backend) error) *project.Project {
	t.Helper()
	next, err := p.Backend.Edit(edit)
	Must(t, err)
	plan, err := plan.Of(p, next)
	Must(t, err)
	Must(t, plan.Commit())
	return Opened(t, p.Root)
}

// Noon is when tests push.
var Noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Target is a push of an environment at Noon.
func Target(p *project.Project, env string) contract.Target {
	return contract.Target{Project: p, Environment: p.Backend.Environment(env), Now: Noon}
}

// Pushed is Pushing without an error.
func Pushed(t testing.TB, index index.Index, p *project.Project, env string) (project.Record, []string) {
	t.Helper()
	record, told, err := Pushing(index, p, env)
	Must(t, err)
	return record, told
}

// Pushing pushes an environment to this machine and returns the events.
func Pushing(index index.Index, p *project.Project, env string) (project.Record, []string, error) {
	var told []string
	record, err := local.Provider{Index: index}.Push(context.Background(), Target(p, env), func(e contract.Event) {
		told = append(told, e.Kind.String()+": "+e.String())
	})
	return record, told, err
}
