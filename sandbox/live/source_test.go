package live

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatewright/project"
	"gatewright/test/symlink"
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

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	symlink.Make(t, to, name)
}

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestInstalledPackagesAreCopied(t *testing.T) {
	t.Parallel()
	for what, tt := range map[string]struct {
		here, there map[string]string
		link        string
		want        string
	}{
		"the same": {
			map[string]string{"package.json": "{}", "package-lock.json": "1"},
			map[string]string{"package.json": "{}", "package-lock.json": "1", "node_modules/x/index.js": "x"},
			"", "x",
		},
		"another lock": {
			map[string]string{"package.json": "{}", "package-lock.json": "2"},
			map[string]string{"package.json": "{}", "package-lock.json": "1", "node_modules/x/index.js": "x"},
			"", "",
		},
		"no packages named": {map[string]string{"index.js": "a"}, map[string]string{"node_modules/x/index.js": "x"}, "", ""},
		"none installed":    {map[string]string{"package.json": "{}"}, map[string]string{"package.json": "{}"}, "", ""},
		"a link that stays": {
			map[string]string{"package.json": "{}"},
			map[string]string{"package.json": "{}", "node_modules/x/index.js": "x"},
			"../x/index.js", "x",
		},
		"a link that leaves": {
			map[string]string{"package.json": "{}"},
			map[string]string{"package.json": "{}", "node_modules/x/index.js": "x"},
			"../../../shared", "",
		},
	} {
		t.Run(what, func(t *testing.T) {
			to, from := filepath.Join(t.TempDir(), "src"), t.TempDir()
			tree(t, to, tt.here)
			tree(t, filepath.Join(from, "items/src"), tt.there)
			if tt.link != "" {
				link(t, tt.link, filepath.Join(from, "items/src/node_modules/.bin/x"))
			}
			copyPackages(to, "items", []string{t.TempDir(), from})
			if got := text(t, filepath.Join(to, "node_modules/x/index.js")); got != tt.want {
				t.Errorf("the package is %q, want %q", got, tt.want)
			}
			if got := text(t, filepath.Join(to, "node_modules/.bin/x")); tt.want != "" && tt.link != "" && got != tt.want {
				t.Errorf("the link leads to %q", got)
			}
		})
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
