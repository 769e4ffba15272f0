package dashboard

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFingerprintTellsEveryChangeAndNothingElse(t *testing.T) {
	dir := paths(t, 1)
	put := func(name string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(name), 0o644))
	}
	put("backend/function/f/node_modules/kept")
	put("elsewhere/file")
	before := fingerprint(dir)
	opened(t, dir, 80, 24)
	put("backend/function/f/node_modules/another")
	put("elsewhere/another")
	if fingerprint(dir) != before {
		t.Error("what is not shown changes the fingerprint")
	}
	for _, name := range []string{
		"backend/function/f/src/new.js", "backend/api/other/cli-inputs.json", "client_config.json", "amplify_outputs.json",
		".gatewright/environment", ".gatewright/journal/x", ".gatewright/deployed/dev/record.json",
	} {
		put(name)
		after := fingerprint(dir)
		if after == before {
			t.Errorf("%s does not change the fingerprint", name)
		}
		before = after
	}
	must(t, os.Remove(filepath.Join(dir, "client_config.json")))
	if fingerprint(dir) == before {
		t.Error("a file that is gone does not change the fingerprint")
	}
}
