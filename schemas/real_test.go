package schemas

import (
	"os"
	"path/filepath"
	"testing"
)

// realFiles returns files that public projects committed, if they are on this machine.
func realFiles(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../../shared/real/" + folder + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skipf("no files of public projects in %s", folder)
	}
	files := make(map[string][]byte)
	for _, path := range paths {
		if files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestRealAPIDefinitionsAreValid(t *testing.T) {
	t.Parallel()
	for path, doc := range realFiles(t, "cli-inputs") {
		if found := problems(t, "cli-inputs", doc); len(found) > 0 {
			t.Errorf("%s: %+v", path, found)
		}
	}
}
