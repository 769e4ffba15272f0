// Package program builds the program for tests that run it as its users do. The tests of each
// kind are a package of their own, so that none exceeds the go command's time limit for a
// package on a busy machine.
package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

var built struct {
	sync.Once
	folder, output string
	err            error
}

// Built returns the path of the program. It builds the program once for all tests of a
// package, whose TestMain must call [Main].
func Built(t testing.TB) string {
	t.Helper()
	return build(t, "-race="+strconv.FormatBool(race))
}

// BuiltWithoutRace is Built for tests of what a killed program leaves behind, which start it often: it
// has no race detector, also if the tests have.
func BuiltWithoutRace(t testing.TB) string {
	t.Helper()
	return build(t, "-race=false")
}

func build(t testing.TB, flag string) string {
	t.Helper()
	built.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "gatewright-built-"); built.err != nil {
			return
		}
		var out []byte
		out, built.err = exec.Command("go", "build", flag, "-ldflags=-s -w", "-o", file(), "gatewright").CombinedOutput()
		built.output = string(out)
	})
	if built.err != nil {
		t.Fatalf("building the program: %v %s", built.err, built.output)
	}
	return file()
}

func file() string { return filepath.Join(built.folder, "gatewright") }

// Main runs the tests of a package, then cleanups, and removes the program that was built. m is the
// *testing.M, or what runs that.
func Main(m interface{ Run() int }, cleanups ...func()) {
	code := m.Run()
	for _, cleanup := range cleanups {
		cleanup()
	}
	if built.folder != "" {
		_ = os.RemoveAll(built.folder)
	}
	os.Exit(code)
}
