package board

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/disk"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFingerprintChangesWithEveryFileOfTheProjectOnly(t *testing.T) {
	dir := newProject(t)
	put := func(name string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(name), 0o644))
	}
	put("backend/function/f/node_modules/kept")
	put("elsewhere/file")
	before := fingerprintOf(dir)
	put("backend/function/f/node_modules/another")
	put("elsewhere/another")
	if fingerprintOf(dir) != before {
		t.Error("what is not shown changes the fingerprint")
	}
	for _, name := range []string{
		"backend/function/f/src/new.js", "backend/api/other/cli-inputs.json", "client_config.json", "amplify_outputs.json",
		".gatewright/environment", ".gatewright/journal/x", ".gatewright/deployed/dev/record.json",
	} {
		put(name)
		after := fingerprintOf(dir)
		if after == before {
			t.Errorf("%s does not change the fingerprint", name)
		}
		before = after
	}
	must(t, os.Remove(filepath.Join(dir, "client_config.json")))
	if fingerprintOf(dir) == before {
		t.Error("a file that is gone does not change the fingerprint")
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
		return b.SetProject(model.Project{Name: "shop", ApplicationID: "app1", Dialect: model.Neutral})
	})
	must(t, err)
	plan, err := p.Plan(next)
	must(t, err)
	must(t, plan.Commit())
	must(t, p.Close())
	return dir
}
