package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAGuardedEnvironmentAsksForItsNameInATerminal answers the question once
// wrong and once right; a change that changes nothing asks nothing.
func TestAGuardedEnvironmentAsksForItsNameInATerminal(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("tmux is missing: .ci/run installs it")
		}
		t.Skip("not tested: tmux is not here")
	}
	program, dir, state := builtProgram(t), t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir()
	for _, args := range [][]string{{"init", "--name", "shop"}, {"add", "env", "prod", "--guarded", "--region", "eu-west-1"}} {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), state)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	file := filepath.Join(dir, "backend/environments/prod.json")
	holds := func(text string) {
		t.Helper()
		if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), text) {
			t.Errorf("%v: the environment's file is\n%s\nand lacks %s", err, data, text)
		}
	}
	win := openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("environment prod is guarded, and this would update it")
	win.waitFor("type prod to go on:")
	win.press("d", "e", "v", "Enter")
	win.waitFor("environment prod is guarded and its name was not typed; nothing is done")
	win.waitFor("exit 1")
	holds("eu-west-1")

	win = openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("type prod to go on:")
	win.press("p", "r", "o", "d", "Enter")
	win.waitFor("updated environment prod")
	win.waitFor("exit 0")
	holds("us-east-1")

	win = openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("nothing to write: environment prod is so already")
	win.waitFor("exit 0")
}
