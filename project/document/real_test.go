package document

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// realFiles returns the cli-inputs files that public projects committed.
func realFiles(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../../../shared/real/cli-inputs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Skip("no real cli-inputs files beside the repository")
	}
	files := map[string][]byte{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = src
	}
	return files
}

func TestRealFilesSurviveEveryPathRenamedAndBack(t *testing.T) {
	t.Parallel()
	for name, src := range realFiles(t) {
		d := mustParse(t, string(src))
		if !bytes.Equal(d.Bytes(), src) {
			t.Errorf("%s: bytes differ", name)
		}
		paths, ok := d.Root().Get("paths")
		if !ok {
			t.Errorf("%s has no paths", name)
		}
		for key, path := range paths.Members() {
			before := fmt.Sprintf(`{"paths":{%s:%s}}`, quote(key), path.Raw())
			after := fmt.Sprintf(`{"paths":{%s:%s}}`, quote(key+"/new"), path.Raw())
			there := mustChange(t, string(src), before, after)
			if want := strings.Replace(string(src), quote(key)+": {", quote(key+"/new")+": {", 1); there != want {
				t.Errorf("%s: renaming %s:\n%s", name, key, cmp.Diff(want, there))
			}
			if back := mustChange(t, there, after, before); back != string(src) {
				t.Errorf("%s: renaming %s back:\n%s", name, key, cmp.Diff(string(src), back))
			}
		}
	}
}

func TestRealFilesSurviveEveryPathTakenOutAndPutBack(t *testing.T) {
	t.Parallel()
	for name, src := range realFiles(t) {
		d := mustParse(t, string(src))
		paths, _ := d.Root().Get("paths")
		var entries []string
		for key, path := range paths.Members() {
			entries = append(entries, quote(key)+":"+string(path.Raw()))
		}
		for i := range entries {
			before := `{"paths":{` + strings.Join(entries, ",") + `}}`
			after := `{"paths":{` + strings.Join(slices.Delete(slices.Clone(entries), i, i+1), ",") + `}}`
			without := mustChange(t, string(src), before, after)
			if back := mustChange(t, without, after, before); back != string(src) {
				t.Errorf("%s: path %d put back:\n%s", name, i, cmp.Diff(string(src), back))
			}
		}
	}
}
