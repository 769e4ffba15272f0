package test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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

// absent begin the names of programs that tests use where they are: of all others that a system has
// they may use what they like.
var absent = []string{
	"node", "npm", "npx", "yarn", "pnpm", "corepack", "python", "pip", "tmux", "git", "curl", "cc", "c++", "gcc", "g++", "c89", "c99", "clang", "fish",
	"mandoc", "aws", "pwsh",
}

// without returns a folder, in another one, with links to all programs of the path but the absent ones.
func without(t *testing.T, in string) string {
	t.Helper()
	dir := filepath.Join(in, "programs")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, of := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(of)
		for _, entry := range entries {
			if slices.ContainsFunc(absent, func(name string) bool { return strings.HasPrefix(entry.Name(), name) }) {
				continue
			}
			_ = os.Symlink(filepath.Join(of, entry.Name()), filepath.Join(dir, entry.Name())) // the first of a name counts
		}
	}
	return dir
}

// Everything is compiled without cgo here, since there is no C compiler.
func TestTheUsualDepthNeedsNothingButGo(t *testing.T) {
	t.Parallel()
	depth.Whole(t)
	depth.WithoutRace(t)
	if runtime.GOOS == "windows" {
		t.Skip("programs of Windows need the files beside them")
	}
	// Sockets have short paths, and some tests run programs as another user.
	temporary, err := os.MkdirTemp("", "gw")
	if err == nil {
		err = os.Chmod(temporary, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temporary) })
	cmd := exec.Command("go", "test", "-count=1", "./...")
	cmd.Dir = ".."
	nowhere := "http://127.0.0.1:1"
	cmd.Env = []string{
		"PATH=" + without(t, temporary), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + temporary, "GOPROXY=off", "HTTP_PROXY=" + nowhere, "HTTPS_PROXY=" + nowhere,
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if n := strings.Count(string(out), "These tests did not run:"); n != 1 {
		t.Errorf("what did not run is told %d times:\n%s", n, out)
	}
	for _, what := range []string{"git", "node", "python3", "tmux"} {
		if !strings.Contains(string(out), "for want of "+what+", ") {
			t.Errorf("no test is said not to have run for want of %s:\n%s", what, out)
		}
	}
}
