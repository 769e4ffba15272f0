package terminal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/test/program"
)

// TestAGuardedEnvironmentAsksForItsNameInATerminal answers the question once wrong and once
// right. A command that changes nothing does not ask.
func TestAGuardedEnvironmentAsksForItsNameInATerminal(t *testing.T) {
	needTmux(t)
	program, dir, state := program.Built(t), t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir()
	for _, args := range [][]string{{"init", "--name", "shop"}, {"add", "env", "prod", "--guarded", "--region", "eu-west-1"}} {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), state)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	file := filepath.Join(dir, "backend/environments/prod.json")
	fileContains := func(text string) {
		t.Helper()
		if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), text) {
			t.Errorf("%v: the environment's file is\n%s\nwithout %s", err, data, text)
		}
	}
	win := openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("environment prod is guarded, and this command would update it")
	win.waitFor("type prod to continue:")
	win.press("d", "e", "v", "Enter")
	win.waitFor("environment prod is guarded, and its name was not typed; nothing was changed")
	win.waitFor("exit 1")
	fileContains("eu-west-1")

	win = openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("type prod to continue:")
	win.press("p", "r", "o", "d", "Enter")
	win.waitFor("updated environment prod")
	win.waitFor("exit 0")
	fileContains("us-east-1")

	win = openWindow(t, program+" update env prod --region us-east-1", dir, 100, 24, state)
	win.waitFor("nothing to write: environment prod has these values already")
	win.waitFor("exit 0")
}

func TestCtrlCAtAQuestionEndsTheLine(t *testing.T) {
	needTmux(t)
	program, dir, state := program.Built(t), t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir()
	for _, args := range [][]string{
		{"init", "--name", "shop", "--app-id", "app1"},
		{"add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "express"},
	} {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), state)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	// The trap keeps the shell running, so that it prints the exit code.
	win := openWindow(t, "trap : INT; "+program+" push", dir, 80, 24, state)
	win.waitFor("push environment dev? [y/N]")
	win.press("C-c")
	win.waitFor("exit 130")
	if screen := win.tmux("capture-pane", "-p"); !strings.Contains(screen, "\nexit 130\n") {
		t.Errorf("the text after Ctrl-C is on the line of the question:\n%s", screen)
	}
	if pushed, _ := filepath.Glob(filepath.Join(dir, ".gatewright/deployed/*/record.json")); pushed != nil {
		t.Errorf("it was pushed: %v", pushed)
	}
}
