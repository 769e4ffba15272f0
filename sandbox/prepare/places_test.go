package prepare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

// TestLayersAreMergedAsInTheCloud has two that have a file and a package in common.
func TestLayersAreMergedAsInTheCloud(t *testing.T) {
	r := preparetest.NewRegistry(t, map[string][]string{"left": {"2.0.0"}})
	first, second := t.TempDir(), t.TempDir()
	preparetest.WriteFiles(t, first, map[string]string{
		"python/a.py": "first", "bin/tool": "first", "lib/x.so": "", "nodejs/node_modules/left/package.json": "1", "nodejs/node_modules/left/old.js": "", "nodejs/node_modules/right/package.json": "1",
		".gatewrightignore": "*.log", "a.log": "",
	})
	preparetest.WriteFiles(t, second, map[string]string{
		"python/a.py": "second", "python/lib/python3.11/site-packages/b.py": "", "nodejs/package.json": `{"dependencies":{"left":"*"}}`, "nodejs/.npmrc": r.Npmrc(),
	})
	list := string(os.PathListSeparator)
	own := "/own" + list + os.Getenv("PATH")
	t.Setenv("PATH", own)
	p := newPreparing(t, model.Python, nil)
	for _, row := range []struct {
		runtime   model.Runtime
		libraries string
		env       []string
	}{{model.Python, "", []string{"PYTHONPATH=/installed"}}, {model.NodeJS, "/ld", []string{"X=1"}}} {
		t.Setenv("LD_LIBRARY_PATH", row.libraries)
		s := &function.Spec{Environment: "dev", Name: "items", Runtime: row.runtime, RuntimeName: string(row.runtime), Layers: []string{first, "arn:aws:lambda:eu-west-1:1:layer:x:1", second}}
		before := slices.Clone(row.env)
		layers, err := p.installLayers(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		ready := Prepared{Env: row.env}
		if err := p.opt(s, layers, &ready); err != nil {
			t.Fatal(err)
		}
		in := func(name string) string { return filepath.Join(ready.Opt, filepath.FromSlash(name)) }
		want := []string{"X=1", "PATH=" + own + list + in("bin"), "LD_LIBRARY_PATH=/ld" + list + in("lib")}
		files := map[string]string{"python/a.py": "second", "bin/tool": "first"}
		if row.runtime == model.Python {
			want = []string{"PYTHONPATH=/installed" + list + in("python") + list + in("python/lib/python3.11/site-packages"), want[1], "LD_LIBRARY_PATH=" + in("lib")}
		} else {
			files["nodejs/node_modules/right/package.json"] = "1"
			if version, _ := findPackage(in("nodejs"), "left"); version != "2.0.0" {
				t.Errorf("the package of both is %s", version)
			}
		}
		if diff := cmp.Diff(want, ready.Env); diff != "" {
			t.Errorf("%s: %s", row.runtime, diff)
		}
		for name, text := range files {
			if got, err := os.ReadFile(in(name)); err != nil || string(got) != text {
				t.Errorf("%s: %s is %q, %v", row.runtime, name, got, err)
			}
		}
		if isThere(in("a.log")) || row.runtime == model.NodeJS && isThere(in("nodejs/node_modules/left/old.js")) {
			t.Errorf("%s: it has what is left out", row.runtime)
		}
		if !slices.Equal(before, row.env) {
			t.Errorf("%s: the list before is changed: %q", row.runtime, row.env)
		}
	}
	want := []string{"the layer arn:aws:lambda:eu-west-1:1:layer:x:1 is in the cloud; the function runs here without its content"}
	if diff := cmp.Diff(want, p.eventTexts(function.EventWarning)); diff != "" {
		t.Error(diff)
	}
}

func TestOldCopiesOfAFunctionAreRemoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, age := range map[string]time.Duration{"present": time.Hour, "old": 11 * time.Minute, "young": 9 * time.Minute} {
		place := filepath.Join(folder, name)
		preparetest.WriteFiles(t, place, map[string]string{"src/index.js": ""})
		at := time.Now().Add(-age)
		if err := os.Chtimes(place, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune(folder, young, filepath.Join(folder, "present"))
	var left []string
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if err != nil || !slices.Equal(left, []string{"present", "young"}) {
		t.Errorf("left are %q, %v", left, err)
	}
	prune(filepath.Join(folder, "missing"), young, "")
}
