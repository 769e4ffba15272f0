package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/test/depth"
	"gatewright/test/program"
)

func TestMain(m *testing.M) { program.Main(m) }

// window is a tmux window in which the program runs.
type window struct {
	t      *testing.T
	socket string
}

// openWindow starts the program in a folder, in a window of w by h cells.
func openWindow(t *testing.T, program, dir string, w, h int, environment ...string) *window {
	t.Helper()
	win := &window{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	args := []string{"new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h), "-c", dir, "env", "TERM=xterm-256color"}
	args = append(append(args, environment...), "sh", "-c", program+`; echo "exit $?"; sleep 60`)
	win.tmux(args...)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", win.socket, "kill-server").Run() })
	return win
}

// needTmux skips a test on a machine without tmux. On the build server the test fails.
func needTmux(t *testing.T) {
	t.Helper()
	depth.Needs(t, "tmux")
}

func (win *window) tmux(args ...string) string {
	win.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", win.socket}, args...)...).CombinedOutput()
	if err != nil {
		win.t.Fatalf("tmux %v: %v %s", args, err, out)
	}
	return string(out)
}

// maxLooks is how often a test looks for a text in a window: for more than a minute, because
// the machine may be busy with other tests.
const maxLooks = 1500

// waitFor waits until the window shows a text. If it is given keys, it presses them at once
// and every two seconds: right after esc, which toTab presses, the program takes a key for
// one with alt.
func (win *window) waitFor(text string, keys ...string) {
	win.t.Helper()
	var screen string
	for look := range maxLooks {
		if screen = win.tmux("capture-pane", "-p"); strings.Contains(screen, text) {
			return
		}
		if look%40 == 0 && keys != nil {
			win.press(keys...)
		}
		time.Sleep(50 * time.Millisecond)
	}
	win.t.Fatalf("the window never shows %q:\n%s", text, screen)
}

// press sends keys by their tmux names.
func (win *window) press(keys ...string) { win.tmux(append([]string{"send-keys"}, keys...)...) }

// firstAnswer presses enter on the last page of the wizard, and waits for the answer. If another
// program has the port, it takes the free one that is offered.
func (win *window) firstAnswer(text string) {
	win.t.Helper()
	win.press("Enter")
	asked := false
	for range maxLooks {
		switch screen := win.screen(); {
		case strings.Contains(screen, text):
			return
		case strings.Contains(screen, "Start the sandbox on another port?") && !sleeps(screen) && !asked:
			win.press("Tab", "Enter")
			asked = true
		}
		time.Sleep(50 * time.Millisecond)
	}
	win.t.Fatalf("there is no answer:\n%s", win.screen())
}

// TestTheWizardInARealTerminal makes an API in an empty folder and gets its first answer, in
// windows of two sizes. In the middle it kills the program and goes on with the draft.
func TestTheWizardInARealTerminal(t *testing.T) {
	needTmux(t)
	program := program.Built(t)
	_, err := exec.LookPath("node")
	node := err == nil
	for _, tt := range []struct {
		w, h        int
		environment []string
	}{{80, 24, []string{"NO_COLOR=1"}}, {120, 40, []string{"COLORTERM=truecolor"}}} {
		t.Run(fmt.Sprintf("%dx%d", tt.w, tt.h), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "bookshop")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			environment := append(tt.environment, "GATEWRIGHT_STATE="+t.TempDir())
			win := openWindow(t, program, dir, tt.w, tt.h, environment...)
			win.waitFor("Make a project with its first API")
			win.press("Enter")
			win.waitFor("What is the project called?")
			win.press("Enter")
			win.waitFor("Which API?")
			win.press("s", "h", "o", "p", "Enter")
			win.waitFor("Which path of the API shop?")
			win.press("/", "b", "o", "o", "k", "s", "Enter")
			win.waitFor("Which handler function serves /books?")
			win.tmux("kill-server")

			win = openWindow(t, program, dir, tt.w, tt.h, environment...)
			win.waitFor("▌ Continue the draft")
			win.press("Enter")
			win.waitFor("Which handler function serves /books?")
			// The plain template is the default, and needs no packages.
			win.waitFor("▐Plain▌")
			win.press("Enter")
			win.waitFor("Who may do what under /books?")
			win.press("Space", "Enter")
			win.waitFor("Add another path?")
			win.press("Enter")
			win.waitFor("Which environments have this API?")
			win.press("Enter")
			win.waitFor("Result")
			win.waitFor("ctrl+s write")
			win.press("C-s")
			win.waitFor("Edit the function now?")
			if node {
				win.firstAnswer("GET /books as a signed-in user returned 200 in ")
			} else {
				win.press("Escape")
			}
			win.waitFor("[1 Map]")
			win.waitFor("signed-in users: create")
			if node {
				win.press("C-c")
				win.waitFor("The sandbox that this program runs ends")
				win.press("C-c")
			} else {
				win.press("q")
				win.waitFor("Look at the project")
				win.press("q")
			}
			win.waitFor("exit 0")
			if _, err := os.Stat(filepath.Join(dir, ".gatewright", "sandbox", "run.json")); !os.IsNotExist(err) {
				t.Errorf("the sandbox is left: %v", err)
			}
			if out, err := exec.Command(program, "validate", filepath.Join(dir, "backend/api/shop/cli-inputs.json")).CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		})
	}
}
