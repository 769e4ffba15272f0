package function

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func stampOfFolder(t testing.TB, folder string) string {
	t.Helper()
	stamp, err := sourceStamp(folder)
	if err != nil {
		t.Fatal(err)
	}
	return stamp
}

func TestTheStampChangesWithTheSourceAndWithNothingElse(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{"src/index.js": "1", "src/lib/a.js": "1", "function.json": "{}"})
	file := filepath.Join(folder, "src", "index.js")
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	changes := []struct {
		name    string
		changes bool
		change  func()
	}{
		{"nothing", false, func() {}},
		{"a size", true, func() { writeFiles(t, folder, map[string]string{"src/index.js": "22"}) }},
		{"a time", true, func() { do(os.Chtimes(file, time.Now(), time.Now().Add(-time.Hour))) }},
		{"a mode", true, func() { do(os.Chmod(file, 0o600)) }},
		{"a name", true, func() { do(os.Rename(file, filepath.Join(folder, "src", "main.js"))) }},
		{"a new file", true, func() { writeFiles(t, folder, map[string]string{"src/lib/b.js": ""}) }},
		{"a file that is gone", true, func() { do(os.Remove(filepath.Join(folder, "src", "lib", "a.js"))) }},
		{"an empty folder", false, func() { do(os.Mkdir(filepath.Join(folder, "empty"), 0o755)) }},
		{"packages", false, func() { writeFiles(t, folder, map[string]string{"src/node_modules/left/index.js": ""}) }},
		{"git", false, func() { writeFiles(t, folder, map[string]string{".git/HEAD": ""}) }},
		{"what Python compiled", false, func() { writeFiles(t, folder, map[string]string{"src/lib/__pycache__/a.pyc": ""}) }},
	}
	for _, change := range changes {
		before := stampOfFolder(t, folder)
		change.change()
		if changed := stampOfFolder(t, folder) != before; changed != change.changes {
			t.Errorf("%s: the stamp has changed: %v", change.name, changed)
		}
	}
	if stamp, err := sourceStamp(filepath.Join(folder, "missing")); err == nil {
		t.Errorf("a folder that is not there has the stamp %s", stamp)
	}
}

func TestLinksNeitherLoopNorHideAChange(t *testing.T) {
	folder, outside := t.TempDir(), filepath.Join(t.TempDir(), "shared.js")
	writeFiles(t, filepath.Dir(outside), map[string]string{"shared.js": "1"})
	for name, to := range map[string]string{"loop": "loop", "up": ".", "shared.js": outside, "gone": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	before := stampOfFolder(t, folder)
	writeFiles(t, filepath.Dir(outside), map[string]string{"shared.js": "changed"})
	if stampOfFolder(t, folder) == before {
		t.Error("the file behind a link changed, the stamp did not")
	}
}

func TestTheStampLooksAtSoManyFiles(t *testing.T) {
	folder := t.TempDir()
	files := make(map[string]string)
	for n := range mostFiles + 10 {
		files[fmt.Sprintf("%02d/%04d", n/500, n)] = ""
	}
	writeFiles(t, folder, files)
	before := stampOfFolder(t, folder)
	writeFiles(t, folder, map[string]string{"99/last": ""})
	if stampOfFolder(t, folder) != before {
		t.Error("a file after the last that is looked at changed the stamp")
	}
	writeFiles(t, folder, map[string]string{"00/0001": "changed"})
	if stampOfFolder(t, folder) == before {
		t.Error("a file among the first did not change the stamp")
	}
}

// BenchmarkSourceStamp is what a look at a function of thirty files costs.
func BenchmarkSourceStamp(b *testing.B) {
	folder := b.TempDir()
	files := make(map[string]string)
	for n := range 30 {
		files[fmt.Sprintf("src/%d/%d.js", n%3, n)] = "x"
	}
	writeFiles(b, folder, files)
	for b.Loop() {
		stampOfFolder(b, folder)
	}
}
