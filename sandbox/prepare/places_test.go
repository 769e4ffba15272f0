package prepare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare/preparetest"
)

func TestPathsOfLayersAreInTheOrderOfTheCloud(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, layer := range []string{first, second} {
		preparetest.WriteFiles(t, layer, map[string]string{"python/a.py": "", "python/lib/python3.11/site-packages/b.py": "", "bin/tool": "", "lib/x.so": "", "other/x": ""})
	}
	list := func(paths ...string) string {
		for i, path := range paths {
			paths[i] = filepath.FromSlash(path)
		}
		return strings.Join(paths, string(os.PathListSeparator))
	}
	t.Setenv("PATH", "/own")
	p := newPreparing(t, model.Python, nil)
	python := "PYTHONPATH=" + list("/installed", second+"/python", second+"/python/lib/python3.11/site-packages", first+"/python", first+"/python/lib/python3.11/site-packages")
	programs := "PATH=" + list("/own", second+"/bin", first+"/bin")
	for _, row := range []struct {
		runtime   model.Runtime
		libraries string
		env, want []string
	}{
		{model.Python, "", []string{"PYTHONPATH=/installed"}, []string{python, programs, "LD_LIBRARY_PATH=" + list(second+"/lib", first+"/lib")}},
		{model.NodeJS, "/ld", []string{"X=1"}, []string{"X=1", programs, "LD_LIBRARY_PATH=" + list("/ld", second+"/lib", first+"/lib")}},
	} {
		t.Setenv("LD_LIBRARY_PATH", row.libraries)
		before := slices.Clone(row.env)
		got := p.layers(&function.Spec{Environment: "dev", Name: "items", Runtime: row.runtime, Layers: []string{first, "arn:aws:lambda:eu-west-1:1:layer:x:1", second}}, row.env)
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.runtime, diff)
		}
		if !slices.Equal(before, row.env) {
			t.Errorf("%s: the list before is changed: %q", row.runtime, row.env)
		}
	}
	want := []string{"the layer arn:aws:lambda:eu-west-1:1:layer:x:1 is in the cloud; the function runs here without its content"}
	if diff := cmp.Diff(want, p.eventTexts(function.EventWarning)); diff != "" {
		t.Error(diff)
	}
	if got := p.layers(&function.Spec{Runtime: model.Python}, []string{"A=b"}); !slices.Equal(got, []string{"A=b"}) {
		t.Errorf("without layers there are %q", got)
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
	removeBuilds(folder, filepath.Join(folder, "present"))
	var left []string
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	if err != nil || !slices.Equal(left, []string{"present", "young"}) {
		t.Errorf("left are %q, %v", left, err)
	}
	removeBuilds(filepath.Join(folder, "missing"), "")
}
