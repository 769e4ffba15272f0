package board

import (
	"testing"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/plan"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newProject is the folder of a project with only a name.
func newProject(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	must(t, err)
	p := project.New(fsys, fsys.Close)
	next, err := p.Backend.Edit(func(b *model.Backend) error {
		return edit.SetProject(b, model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral})
	})
	must(t, err)
	plan, err := plan.Of(p, next)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	return dir
}
