package facility

import (
	"os"
	"os/exec"
	"testing"

	"gatewright/test/program"
)

// BenchmarkColdStart starts the program in a project with a deployed API, as a script does.
// For comparison it starts a Node.js that does nothing: similar tools are written for it.
func BenchmarkColdStart(b *testing.B) {
	built, dir := program.Built(b), b.TempDir()
	state := "GATEWRIGHT_STATE=" + b.TempDir()
	run := func(b *testing.B, name string, args ...string) {
		b.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), state)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%s %q: %v %s", name, args, err, out)
		}
	}
	run(b, built, "init", "--name", "shop")
	run(b, built, "add", "function", "items", "--template", "express")
	run(b, built, "add", "api", "shop", "--path", "/items", "--function", "items")
	run(b, built, "push")
	for _, args := range [][]string{{"version"}, {"status"}, {"validate"}} {
		b.Run(args[0], func(b *testing.B) {
			for b.Loop() {
				run(b, built, args...)
			}
		})
	}
	b.Run("node -e 0", func(b *testing.B) {
		if _, err := exec.LookPath("node"); err != nil {
			b.Skip("Node.js is not installed")
		}
		for b.Loop() {
			run(b, "node", "-e", "0")
		}
	})
}
