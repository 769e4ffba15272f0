package live

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/project"
)

// tree makes files below a folder.
func tree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		place := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(place, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAChangeIsReportedWhenItIsComplete(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	tree(t, root, map[string]string{"backend/project.json": "{}", "backend/api/shop/cli-inputs.json": "{}"})
	w := newWatch(root, project.Native)
	defer w.close()
	if w.differs() {
		t.Fatal("nothing changed, but a change is reported")
	}
	for _, tt := range []struct {
		what   string
		change func() error
	}{
		{"a file of the definition", func() error { tree(t, root, map[string]string{"backend/api/shop/cli-inputs.json": "{ }"}); return nil }},
		{"a new file", func() error { tree(t, root, map[string]string{"backend/function/a/function.json": "{}"}); return nil }},
		{"a file that goes", func() error { return os.Remove(filepath.Join(root, "backend/function/a/function.json")) }},
		{"a secret", func() error { tree(t, root, map[string]string{".gatewright/secrets/dev.json": "{}"}); return nil }},
		{"a push", func() error {
			tree(t, root, map[string]string{".gatewright/deployed/dev/record.json": "{}"})
			return nil
		}},
		{"the same size", func() error {
			return os.Chtimes(filepath.Join(root, "backend/project.json"), time.Now(), time.Now().Add(time.Minute))
		}},
	} {
		if err := tt.change(); err != nil {
			t.Fatal(err)
		}
		if <-w.changed; !w.differs() || w.differs() {
			t.Errorf("%s: it is not reported once", tt.what)
		}
	}
	tree(t, root, map[string]string{"backend/function/a/src/index.js": "x", "node_modules/x.json": "{}", ".gatewright/sandbox/run.json": "{}"})
	if w.differs() || len(w.changed) > 0 {
		t.Error("a source is no definition, but a change is reported")
	}
}
