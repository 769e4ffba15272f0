package terminal

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/test/depth"
	"gatewright/test/program"
)

// screen returns the text of the window.
func (win *window) screen() string {
	win.t.Helper()
	return win.tmux("capture-pane", "-p")
}

// toTab goes to a tab from wherever the last key led: out of dialogs, fields and pages. It
// presses keys repeatedly, but not while a question sleeps: each key makes it sleep longer.
func (win *window) toTab(number, front, after string) {
	win.t.Helper()
	var screen string
	for range maxLooks {
		screen = win.screen()
		if strings.Contains(screen, "exit ") || strings.Contains(screen, "panic") {
			break
		}
		header, _, _ := strings.Cut(screen, "\n")
		pages, _, _ := strings.Cut(strings.TrimSpace(header), "  ")
		inFront := strings.HasSuffix(pages, "› dashboard")
		switch {
		case sleeps(screen):
		case strings.Contains(screen, "esc again"):
			time.Sleep(500 * time.Millisecond) // a key that is held down drops no changes
			win.press("Escape")
		case !inFront || hasDialog(screen) || strings.Contains(screen, "esc drop"):
			win.press("Escape")
		case strings.Contains(screen, front):
			return
		default:
			win.press(number)
		}
		time.Sleep(60 * time.Millisecond)
	}
	win.t.Fatalf("after %s the window does not show %s:\n%s", after, front, screen)
}

// sleeps reports whether the footer shows a question that takes no answer yet.
func sleeps(screen string) bool {
	lines := strings.Split(strings.TrimRight(screen, " \n"), "\n")
	return strings.Contains(lines[len(lines)-1], " …  ") || strings.HasSuffix(lines[len(lines)-1], " …")
}

// hasDialog reports whether a dialog is over the dashboard: panes have a line before their
// title, dialogs have none.
func hasDialog(screen string) bool { return strings.Contains(screen, "╭ ") }

// quit leaves the program, and answers the question about unsaved work or a running job, if
// it comes: numbers that toTab pressed may have been typed into the wizard.
func (win *window) quit() {
	win.t.Helper()
	for look := range maxLooks {
		switch screen := win.screen(); {
		case strings.Contains(screen, "exit "):
			return
		case sleeps(screen):
		case strings.Contains(screen, "[›Discard‹]"), strings.Contains(screen, "[›Quit‹]"):
			win.press("Enter")
		case strings.Contains(screen, "Discard"), strings.Contains(screen, "[ Quit ]"):
			win.press("Tab")
		case look%40 == 0:
			win.press("q")
		}
		time.Sleep(60 * time.Millisecond)
	}
}

// library makes a project that has something for every tab.
func library(t *testing.T, program string, environment []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "library")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "--name", "library", "--app-id", "d1library", "--region", "eu-west-1"},
		{"add", "group", "Librarians"},
		{"add", "api", "lending", "--path", "/books", "--function", "books", "--new-function", "plain", "--auth", "read", "--guest", "read", "--group", "Librarians=all"},
		{"add", "path", "lending", "/books/{isbn}/loans", "--function", "books", "--group", "Librarians=create,read"},
		{"add", "table", "loans", "--partition-key", "id:string"},
		{"add", "env", "prod", "--branch", "main", "--guarded"},
		{"push", "--env", "dev"},
		{"table", "put", "loans", `{"id": "1", "book": "Emma"}`, "--env", "dev"},
	} {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("gatewright %q: %v %s", args, err, out)
		}
	}
	return dir
}

// tabs are the keys that lead to the dashboard's tabs, and what the line of tabs shows of each
// in front, in a window of 120 columns.
var tabs = [][2]string{
	{"1", "[1 Map]"},
	{"2", "[2 APIs]"},
	{"3", "[3 Funcs]"},
	{"4", "[4 Access]"},
	{"5", "[5 Reqs]"},
	{"6", "[6 Probs]"},
	{"7", "[7 People]"},
	{"8", "[8 Envs]"},
	{"9", "[9 Tables]"},
	{"0", "[0 Outputs"},
	{">", "[Defs]"},
	{">", "[Activity"},
}

// TestTheDashboardInARealTerminal presses every key on every tab, goes back each time, and
// quits: nothing breaks, and `gatewright dashboard` changes no file.
func TestTheDashboardInARealTerminal(t *testing.T) {
	needTmux(t)
	program := program.Built(t)
	// Package tui/app presses every key on every tab, in a window that is none.
	every := depth.Rounds(11, 2, 1)
	for _, command := range []string{"", " dashboard"} {
		t.Run("gatewright"+command, func(t *testing.T) {
			environment := []string{"GATEWRIGHT_STATE=" + t.TempDir(), "EDITOR=true", "VISUAL=true"}
			dir := library(t, program, environment)
			before := readFiles(t, dir)
			win := openWindow(t, program+command, dir, 120, 40, environment...)
			win.waitFor("[1 Map]")
			for at, tab := range tabs {
				after := "the previous tab"
				for i, key := range actionKeys() {
					if (at+i)%every != 0 {
						continue
					}
					win.toTab(tab[0], tab[1], after)
					win.press("Down", key)
					after = tab[1] + " " + key
				}
			}
			win.toTab("1", "[1 Map]", "the last tab")
			win.waitFor("What do you want to do?", "C-p")
			win.toTab("1", "[1 Map]", "ctrl+p")
			win.waitFor("Keys ─", "?")
			win.toTab("1", "[1 Map]", "?")
			win.quit()
			win.waitFor("exit 0")
			if command == "" {
				return
			}
			for name, text := range readFiles(t, dir) {
				if before[name] != text {
					t.Errorf("the read-only dashboard changed %s", name)
				}
			}
		})
	}
}

// TestClosingTheTerminalStopsTheSandboxOfTheDashboard closes the window while the dashboard
// runs a sandbox.
func TestClosingTheTerminalStopsTheSandboxOfTheDashboard(t *testing.T) {
	needTmux(t)
	program := program.Built(t)
	environment := []string{"GATEWRIGHT_STATE=" + t.TempDir()}
	dir := library(t, program, environment)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	change := exec.Command(program, "update", "project", "--sandbox-port", port)
	change.Dir = dir
	if out, err := change.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	win := openWindow(t, program, dir, 120, 40, environment...)
	win.waitFor("[1 Map]")
	win.press("1")
	win.press("<")
	win.waitFor(" Activity")
	win.press("s")
	win.waitFor("sandbox running at 127.0.0.1:" + port)
	run := filepath.Join(dir, ".gatewright", "sandbox", "run.json")
	if _, err := os.Stat(run); err != nil {
		t.Fatal(err)
	}
	win.tmux("kill-server")
	for range maxLooks {
		if _, err := os.Stat(run); os.IsNotExist(err) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the sandbox still runs")
}

// actionKeys returns all keys that may have an action, except those that quit (q, ctrl+c),
// start a sandbox on the project's port (s), or turn the mouse on (m).
func actionKeys() []string {
	var keys []string
	for c := 'a'; c <= 'z'; c++ {
		if !strings.ContainsRune("qsm", c) {
			keys = append(keys, string(c))
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		keys = append(keys, string(c))
	}
	for _, c := range "dersuyz" {
		keys = append(keys, "C-"+string(c))
	}
	return append(keys, "Enter", "Space", "Left", "Right", "Tab", "DC", "F1", ".", ":", "!", "*", "[", "]", "<", ">", "/")
}

// readFiles returns the content of every file of a folder, by its path.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
