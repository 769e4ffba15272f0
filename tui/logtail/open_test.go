package logtail

import (
	"os"
	"path/filepath"
	"testing"
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
