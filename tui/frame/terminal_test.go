package frame

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/test/await"
	"gatewright/test/depth"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
)

// asProgram is the environment variable that makes the test binary show screens.
const asProgram = "GATEWRIGHT_TEST_SCREENS"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		frametest.Main(m)
	}
	if err := Run(terminalOptions()); err != nil {
		if !errors.Is(err, ErrStalled) {
			fmt.Println(err)
		}
		os.Exit(1)
	}
	os.Exit(0)
}

// bombPage is a list that panics at the key x.
type bombPage struct{ *listPage }

func (p bombPage) Bindings() []keys.Binding {
	return append(p.listPage.Bindings(), keys.Export.Does("break", "", func() tea.Cmd { panic("x was pressed") }))
}

func terminalOptions() Options {
	context := &Context{}
	return Options{
		Start: listRoute{"items"}, Context: context, OnPanic: func() string { return "drafts/wizard.json" },
		Make: func(r Route) (Page, error) {
			return bombPage{&listPage{context: context, name: r.(listRoute).name, log: new([]string)}}, nil
		},
	}
}

// terminal is a window of a tmux server of its own.
type terminal struct {
	t      *testing.T
	socket string
}

func (w terminal) tmux(arguments ...string) string {
	w.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", w.socket, "-f", os.DevNull}, arguments...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %s: %v: %s", arguments[0], err, out)
	}
	return string(out)
}

func (w terminal) press(keys ...string) {
	w.t.Helper()
	w.tmux(append([]string{"send-keys", "-t", "gate"}, keys...)...)
}

// waitFor waits until all of the texts are on the screen at once.
func (w terminal) waitFor(texts ...string) {
	w.t.Helper()
	screen, shown := "", false
	defer func() {
		if !shown {
			w.t.Logf("the screen is\n%s", screen)
		}
	}()
	await.Until(w.t, fmt.Sprintf("%q on the screen", texts), func() bool {
		screen = w.tmux("capture-pane", "-p", "-t", "gate")
		shown = !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(screen, text) })
		return shown
	})
}

func TestInATerminal(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "tmux")
	folder, err := os.MkdirTemp("", "gw") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	w := terminal{t, filepath.Join(folder, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", w.socket, "kill-server").Run()
		_ = os.RemoveAll(folder)
	})
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w.tmux("new-session", "-d", "-s", "gate", "-x", "80", "-y", "24", "env", "PS1=ready> ", "sh")
	w.waitFor("ready>")
	w.press(asProgram+"=1 "+binary, "Enter")
	w.waitFor("List of items", "› /items/0", "? keys")
	w.press("Down")
	w.waitFor("› /items/1")
	w.press("?")
	w.waitFor("type to filter")
	w.press("a", "n", "y", "w", "h", "e", "r", "e")
	w.waitFor("quit from anywhere")
	w.tmux("resize-window", "-t", "gate", "-x", "40", "-y", "10")
	w.waitFor("needs 60x15, has 40x10")
	w.tmux("resize-window", "-t", "gate", "-x", "120", "-y", "40")
	w.waitFor("quit from anywhere", "› /items/1")
	w.press("Escape")
	w.waitFor("? keys")
	w.press("x")
	w.waitFor("gatewright crashed: x was pressed; the draft is in drafts/wizard.json", "ready>")
	if screen := w.tmux("capture-pane", "-p", "-t", "gate"); strings.Contains(screen, "goroutine") {
		t.Errorf("a stack is on the screen:\n%s", screen)
	}
	w.press("echo raw=$(stty -a | grep -cE '(^| )-(echo|icanon)( |;|$)')", "Enter")
	w.waitFor("raw=0")
}
