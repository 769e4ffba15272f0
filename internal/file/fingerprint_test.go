package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatewright/internal/file/fingerprint"
	"gatewright/test/symlink"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t testing.TB, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

func looksOf(t testing.TB, folder string) string {
	t.Helper()
	looks, err := fingerprint.Attributes(folder)
	must(t, err)
	return looks
}

func contentsOf(t testing.TB, folder string) string {
	t.Helper()
	contents, err := fingerprint.Contents(folder)
	must(t, err)
	return contents
}

func TestAFingerprintDiffersWhenFilesDo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, folder, "src/index.js", "1")
	write(t, folder, "src/lib/a.js", "1")
	write(t, folder, "function.json", "{}")
	file := filepath.Join(folder, "src", "index.js")
	changes := []struct {
		name            string
		looks, contents bool // which fingerprint differs
		change          func()
	}{
		{"nothing", false, false, func() {}},
		{"a size", true, true, func() { write(t, folder, "src/index.js", "22") }},
		{"a time", true, false, func() { must(t, os.Chtimes(file, time.Now(), time.Now().Add(-time.Hour))) }},
		{"a mode", runtime.GOOS != "windows", false, func() { must(t, os.Chmod(file, 0o600)) }},
		{"a name", true, true, func() { must(t, os.Rename(file, filepath.Join(folder, "src", "main.js"))) }},
		{"a new file", true, true, func() { write(t, folder, "src/lib/b.js", "") }},
		{"a removed file", true, true, func() { must(t, os.Remove(filepath.Join(folder, "src", "lib", "a.js"))) }},
		{"an empty folder", false, false, func() { must(t, os.Mkdir(filepath.Join(folder, "empty"), 0o755)) }},
		{"packages", false, false, func() { write(t, folder, "src/node_modules/left/index.js", "") }},
		{"git", false, false, func() { write(t, folder, ".git/HEAD", "") }},
		{"what Python compiled", false, false, func() { write(t, folder, "src/lib/__pycache__/a.pyc", "") }},
	}
	for _, change := range changes {
		looks, contents := looksOf(t, folder), contentsOf(t, folder)
		change.change()
		if differs := looksOf(t, folder) != looks; differs != change.looks {
			t.Errorf("%s: Attributes differs: %v", change.name, differs)
		}
		if differs := contentsOf(t, folder) != contents; differs != change.contents {
			t.Errorf("%s: Contents differs: %v", change.name, differs)
		}
	}
	if looks, err := fingerprint.Attributes(filepath.Join(folder, "missing")); err == nil {
		t.Errorf("a missing folder has the fingerprint %s", looks)
	}
}

func TestAFolderMayHaveAnyNameOrBeALink(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "node_modules")
	write(t, folder, "index.js", "1")
	link := filepath.Join(t.TempDir(), "link")
	symlink.Make(t, folder, link)
	for _, name := range []string{folder, folder + "/", link} {
		looks, contents := looksOf(t, name), contentsOf(t, name)
		write(t, folder, "index.js", looks[:9]+strings.Repeat("1", len(name)))
		if looksOf(t, name) == looks || contentsOf(t, name) == contents {
			t.Errorf("%s: a change of its file is not seen", name)
		}
		if looksOf(t, name) != looksOf(t, folder) || contentsOf(t, name) != contentsOf(t, folder) {
			t.Errorf("%s has another fingerprint than the folder", name)
		}
	}
}

func TestLinksNeitherLoopNorHideAChange(t *testing.T) {
	t.Parallel()
	folder, outside := t.TempDir(), t.TempDir()
	write(t, outside, "shared.js", "1")
	write(t, outside, "lib/deep/a.js", "1")
	for name, to := range map[string]string{
		"loop": "loop", "up": ".", "shared.js": filepath.Join(outside, "shared.js"), "broken": "nowhere", "lib": filepath.Join(outside, "lib"),
	} {
		symlink.Make(t, to, filepath.Join(folder, name))
	}
	// One that leads back, and two that lead to each other.
	symlink.Make(t, outside, filepath.Join(outside, "lib", "back"))
	symlink.Make(t, folder, filepath.Join(outside, "lib", "home"))
	for _, file := range []string{"shared.js", "lib/deep/a.js"} {
		looks, contents := looksOf(t, folder), contentsOf(t, folder)
		write(t, outside, file, "changed")
		if looksOf(t, folder) == looks || contentsOf(t, folder) == contents {
			t.Errorf("%s behind a link changed, a fingerprint did not", file)
		}
	}
}

// BenchmarkAttributes measures the fingerprint of a function of thirty files.
func BenchmarkAttributes(b *testing.B) {
	folder := b.TempDir()
	for n := range 30 {
		write(b, folder, fmt.Sprintf("src/%d/%d.js", n%3, n), "x")
	}
	for b.Loop() {
		looksOf(b, folder)
	}
}
