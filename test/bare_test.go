package test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/depth"
)

func TestTheLastPackageTellsWhatDidNotRun(t *testing.T) {
	t.Parallel()
	var last string
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || len(entry.Name()) > 2 && entry.Name()[0] == '.') {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, "_test.go") {
			last = filepath.Dir(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(last, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "depth.Tell") {
			return
		}
	}
	t.Errorf("%s is the last package with tests: its TestMain has to call depth.Tell", last)
}

// Everything is compiled without cgo here, since there is no C compiler.
func TestTheUsualDepthNeedsNothingButGo(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "test", "-count=1", "./...")
	cmd.Dir = ".."
	nowhere := "http://127.0.0.1:1"
	cmd.Env = []string{
		"PATH=" + filepath.Dir(program), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + t.TempDir(), "GOPROXY=off",
		"HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere,
		"LOCALAPPDATA=" + os.Getenv("LOCALAPPDATA"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), // of Windows
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "These tests did not run:"); n != 1 {
		t.Errorf("what did not run is told %d times:\n%s", n, out)
	}
	for _, what := range []string{"git", "node", "npm", "python3", "tmux"} {
		if !strings.Contains(string(out), "for want of "+what+", ") {
			t.Errorf("no test is said not to have run for want of %s:\n%s", what, out)
		}
	}
}
