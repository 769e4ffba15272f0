package preparetest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// WriteFiles writes files into a folder.
func WriteFiles(t testing.TB, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Layered writes the files of a layer. Its name is a pattern to who does not take it as it is.
func Layered(t *testing.T, files map[string]string) string {
	t.Helper()
	name := "la[y]*er"
	if runtime.GOOS == "windows" { // no name has a star there
		name = "la[y]er"
	}
	folder := filepath.Join(t.TempDir(), name)
	WriteFiles(t, folder, files)
	return folder
}

// Without leaves only the named programs in PATH.
func Without(t testing.TB, kept ...string) {
	t.Helper()
	if runtime.GOOS == "windows" && len(kept) > 0 {
		t.Skip("not tested: a program of Windows needs the files next to it, and npm lies next to node")
	}
	folder := t.TempDir()
	for _, name := range kept {
		if err := os.Symlink(NeedsProgram(t, name), filepath.Join(folder, name)); err != nil {
			t.Skipf("not tested: %v", err)
		}
	}
	t.Setenv("PATH", folder)
}
