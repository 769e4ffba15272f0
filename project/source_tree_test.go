package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/project/disk"
	"gatewright/project/status"
	"gatewright/project/validate"
	"gatewright/test/symlink"
)

// linked opens a native project in a folder with the function f, the shared folder lib, and
// links in the source of f by their names.
func linked(t *testing.T, links map[string]string) (dir string, fsys afero.Fs) {
	t.Helper()
	dir = t.TempDir()
	opened, err := disk.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, opened.Close()) })
	b := served(t, "f")
	must(t, edit.AddEnvironment(b, &model.Environment{Name: "dev", Provider: model.Local, Region: "eu-west-1"}))
	native(t, opened, b, nil)
	put(t, opened, "backend/function/f/src/index.js", "")
	put(t, opened, "lib/price.js", "1")
	for name, to := range links {
		symlink.Make(t, to, filepath.Join(dir, "backend", "function", "f", "src", name))
	}
	return dir, opened
}

func TestLinksInASourceThatCannotBeFollowedAreErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, to, want string }{
		{"a file of the project", "../../../../lib/price.js", ""},
		{"a folder of the project", "../../../../lib", ""},
		{"out of the project", "../../../../../other", "is a link that leads out of the project, so a push would miss its target; copy the target into the project instead"},
		{"absolute", os.TempDir(), "is a link with an absolute path, which is broken in another clone; use a relative link to a file in the project"},
		{"nowhere", "gone.js", "is a broken link; fix or remove it"},
		{"itself", "link", "is a broken link; fix or remove it"},
		{"a folder that it is in", "../..", "is a link to a folder that it is in; remove it"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, fsys := linked(t, map[string]string{"link": row.to})
			var got []string
			for _, problem := range validate.Project(load(t, fsys, project.Native)) {
				if problem.Level == model.Error {
					got = append(got, problem.Error())
				}
			}
			want := ""
			if row.want != "" {
				want = "backend/function/f/src/link: " + row.want
			}
			if strings.Join(got, "\n") != want {
				t.Errorf("the errors are %q, want %q", got, want)
			}
		})
	}
}

func TestAPushHasWhatLinksLeadTo(t *testing.T) {
	t.Parallel()
	dir, fsys := linked(t, map[string]string{"price.js": "../../../../lib/price.js", "lib": "../../../../lib"})
	push(t, fsys, "dev", "http://127.0.0.1:4280")
	changed := func() bool {
		t.Helper()
		status, err := status.Of(load(t, fsys, project.Native), "dev")
		must(t, err)
		return status.Changed()
	}
	if changed() {
		t.Error("the function is changed right after the push")
	}
	for _, name := range []string{"price.js", "lib/price.js"} {
		found, err := filepath.Glob(filepath.Join(dir, ".gatewright", "deployed", "dev", "*", "backend", "function", "f", "src", filepath.FromSlash(name)))
		must(t, err)
		if len(found) != 1 {
			t.Fatalf("%s is in %q", name, found)
		}
		info, err := os.Lstat(found[0])
		must(t, err)
		if text, err := os.ReadFile(found[0]); err != nil || string(text) != "1" || !info.Mode().IsRegular() {
			t.Errorf("%s was pushed as %v with %q, %v", name, info.Mode(), text, err)
		}
	}
	put(t, fsys, "lib/price.js", "2")
	if !changed() {
		t.Error("an edit of the file behind a link is no change")
	}
}
