package terminal

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"gatewright/test/program"
)

// TestAPasswordIsAskedForTwiceAndNeverShown types two different passwords, then twice the
// same, then Ctrl-C, after which the terminal shows typed text again.
func TestAPasswordIsAskedForTwiceAndNeverShown(t *testing.T) {
	needTmux(t)
	program, dir, state := program.Built(t), t.TempDir(), "GATEWRIGHT_STATE="+t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), state)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
		return string(out)
	}
	run("init", "--name", "shop")
	run("add", "group", "Editors")

	win := openWindow(t, program+" user add emma", dir, 100, 24, state)
	win.waitFor("password for emma:")
	win.press("c", "o", "r", "r", "e", "c", "t", "-", "1", "Enter")
	win.waitFor("the same password again:")
	win.press("c", "o", "r", "r", "e", "c", "t", "-", "2", "Enter")
	win.waitFor("the two passwords differ; nothing was changed")
	win.waitFor("exit 1")

	win = openWindow(t, program+" user add emma", dir, 100, 24, state)
	for _, question := range []string{"password for emma:", "the same password again:"} {
		win.waitFor(question)
		win.press("c", "o", "r", "r", "e", "c", "t", "-", "1", "Enter")
	}
	win.waitFor("added user emma")
	win.waitFor("exit 0")
	if screen := win.tmux("capture-pane", "-p"); strings.Contains(screen, "correct") || strings.Contains(screen, "password: ") {
		t.Errorf("the password is shown:\n%s", screen)
	}

	// The trap keeps the shell running, so that it prints the exit code.
	win = openWindow(t, "trap : INT; "+program+` user add jane; echo "code $?"; stty -a | grep -q -- ' echo ' && echo typing shows`, dir, 100, 24, state)
	win.waitFor("password for jane:")
	win.press("C-c")
	win.waitFor("code 130")
	win.waitFor("typing shows")
	if users := run("user", "list"); strings.Contains(users, "jane") || !strings.Contains(users, "emma") {
		t.Errorf("the users are\n%s", users)
	}
}
