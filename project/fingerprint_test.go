package project_test

import (
	"os"
	"path/filepath"
	"testing"

	"gatewright/project"
)

func TestAFingerprintChangesWithEveryFileOfTheProjectOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(name), 0o644))
	}
	put("backend/function/f/node_modules/kept")
	put("elsewhere/file")
	must(t, os.MkdirAll(filepath.Join(dir, "backend"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "backend", "project.json"), []byte(`{"version": 1, "name": "shop", "applicationId": "a"}`), 0o644))
	before := project.PrintOf(dir)
	put("backend/function/f/node_modules/another")
	put("elsewhere/another")
	if project.PrintOf(dir) != before {
		t.Error("what is not shown changes the fingerprint")
	}
	for _, name := range []string{
		"backend/function/f/src/new.js", "backend/api/other/cli-inputs.json", "client_config.json", "amplify_outputs.json",
		".gitignore", "access.test.json", "backend/api/other/openapi.json", ".gatewright/environment", ".gatewright/journal/x", ".gatewright/deployed/dev/record.json",
	} {
		put(name)
		after := project.PrintOf(dir)
		if after == before {
			t.Errorf("%s does not change the fingerprint", name)
		}
		before = after
	}
	must(t, os.Remove(filepath.Join(dir, "client_config.json")))
	if project.PrintOf(dir) == before {
		t.Error("a file that is gone does not change the fingerprint")
	}
}

func TestAFingerprintChangesWithWhatIsKeptBesideAProjectOfTheAmplifyCLI(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../testdata/amplify")))
	before := project.PrintOf(dir)
	for _, name := range []string{"access.test.json", "gatewright/contract/shop.json"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(name), 0o644))
		after := project.PrintOf(dir)
		if after == before {
			t.Errorf("%s does not change the fingerprint", name)
		}
		before = after
	}
}
