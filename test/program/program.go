// Package program builds the program for tests that run it as its users do. Tests
// of several kinds need it, each kind a package of its own: none of those then runs
// for longer than the go command lets a package run on a busy machine.
package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var built struct {
	sync.Once
	folder, output string
	err            error
}

// Built is the program, as a file. It is built once for all tests of a package, whose
// TestMain is [Main].
func Built(t testing.TB) string {
	t.Helper()
	built.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "gatewright-built-"); built.err != nil {
			return
		}
		var out []byte
		out, built.err = exec.Command("go", "build", "-o", file(), "gatewright").CombinedOutput()
		built.output = string(out)
	})
	if built.err != nil {
		t.Fatalf("building the program: %v %s", built.err, built.output)
	}
	return file()
}

func file() string { return filepath.Join(built.folder, "gatewright") }

// Main runs the tests of a package, takes the program away that they built, and does
// what else is to be done in the end.
func Main(m *testing.M, ends ...func()) {
	code := m.Run()
	for _, end := range ends {
		end()
	}
	if built.folder != "" {
		_ = os.RemoveAll(built.folder)
	}
	os.Exit(code)
}
