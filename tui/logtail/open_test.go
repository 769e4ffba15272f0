package logtail

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gatewright/project"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/logs/entry"
)

func TestACompiledFileLeadsToItsSource(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"index.js", "shelf.ts"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"index.js": "index.js", "shelf.js": "shelf.ts", "gone.js": ""} {
		if got, ok := writtenAs(root, name); got != want || ok != (want != "") {
			t.Errorf("%s leads to %q, want %q", name, got, want)
		}
	}
}

func TestTheLogOfAFunctionIsThatOfItsEnvironment(t *testing.T) {
	t.Parallel()
	got := Of("/shop", project.Native, "pr\x1bod", "bo\x1boks")
	want := Tail{
		Root: "/shop", Title: "log of bo␛oks in pr␛od", Query: logs.Query{Environment: "pr\x1bod", Function: "bo\x1boks"}, Folder: "backend/function/bo\x1boks",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	root := t.TempDir()
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		root, folder string
		want         entry.Source
	}{
		{root, "", entry.Source{}},
		{root, "backend/function/f", entry.Source{Root: root, Real: real, Folder: "backend/function/f/src"}},
		{root + "/gone", "f", entry.Source{Root: root + "/gone", Real: root + "/gone", Folder: "f/src"}},
	} {
		if diff := cmp.Diff(of.want, sourceIn(of.root, of.folder)); diff != "" {
			t.Errorf("the source in %s (-want +got):\n%s", of.folder, diff)
		}
	}
}

func TestEachEndingOfTypeScriptIsASource(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "folder.ts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"b.tsx": "b.tsx", "b.js": "b.tsx", "c.mjs": "c.mts", "d.cjs": "d.cts", "folder.js": ""} {
		if want != "" {
			if err := os.WriteFile(filepath.Join(root, want), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, ok := writtenAs(root, name); got != want || ok != (want != "") {
			t.Errorf("%s leads to %q, want %q", name, got, want)
		}
	}
}
