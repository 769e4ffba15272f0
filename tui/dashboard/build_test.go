package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/deploy/deploytest"
	"gatewright/model"
	"gatewright/model/access"
	"gatewright/model/edit"
	"gatewright/project"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func path(name, function string) *access.Path {
	return &access.Path{Name: name, Function: function, Access: access.Access{Setting: access.Open}}
}

func api(label string, paths ...*access.Path) *access.API {
	return &access.API{Label: label, Paths: paths}
}

// paths is a project with one API of n paths, and one environment.
func paths(t testing.TB, n int) string {
	t.Helper()
	return spread(t, 1, n)
}

// spread is a project with n APIs of one path each, and one environment. One API is called
// shop.
func spread(t testing.TB, apis, n int) string {
	t.Helper()
	b := &model.Backend{}
	must(t, edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral}))
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local}))
	must(t, edit.AddFunction(b, &model.Function{Name: "f", Runtime: model.NodeJS, Template: model.Plain, Handler: "index.handler"}))
	all := make([]*access.API, apis)
	for i := range all {
		all[i] = api(fmt.Sprint("shop", i))
	}
	all[0].Label = "shop"
	for i := range n {
		of := all[i%apis]
		of.Paths = append(of.Paths, path(fmt.Sprintf("/area%d/thing%d/{id}", i%100, i), "f"))
	}
	for _, one := range all {
		must(t, edit.AddAPI(b, one))
	}
	return folderOf(t, b)
}

// folderOf writes a backend into a project.
func folderOf(t testing.TB, b *model.Backend) string {
	t.Helper()
	dir := t.TempDir()
	deploytest.Write(t, dir, b)
	return dir
}

// deployed writes the record of a push of dev as the project is.
func deployed(t testing.TB, dir string) {
	t.Helper()
	p, err := project.Open(dir)
	must(t, err)
	must(t, p.Deploy(project.Record{
		Environment: "dev", Stack: "s", Provider: model.Local, Deployed: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		APIs: []project.Endpoint{{API: "shop", ID: "1", URL: "http://127.0.0.1:4280/1/dev"}},
	}))
	must(t, p.Close())
}

// apiFile is the file of the API of the project that paths makes.
func apiFile(dir string) string {
	return filepath.Join(dir, "backend", "api", "shop", "cli-inputs.json")
}

func get(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return string(data)
}

func put(t testing.TB, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o644))
}
