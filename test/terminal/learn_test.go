package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/test/program"
)

// TestTheTemporaryFolderOfTheCourseIsRemovedHoweverItEnds ends the course in a real terminal
// by keys and by signals.
func TestTheTemporaryFolderOfTheCourseIsRemovedHoweverItEnds(t *testing.T) {
	needTmux(t)
	program := program.Built(t)
	for name, end := range map[string]struct {
		arguments, shows string
		how              func(*window)
	}{
		"q": {"paths", "1 thing missing", func(w *window) {
			w.press("q")
			w.waitFor("lessons done")
			w.press("q")
		}},
		"ctrl+c":  {"paths", "1 thing missing", func(w *window) { w.press("C-c") }},
		"SIGTERM": {"paths", "1 thing missing", func(w *window) { w.signal(program, "TERM") }},
		"SIGHUP":  {"paths", "1 thing missing", func(w *window) { w.signal(program, "HUP") }},
		// Ctrl-C would end the window's shell too.
		"SIGINT in lines":  {"paths --accessible", "What now?", func(w *window) { w.signal(program, "INT") }},
		"SIGTERM in lines": {"paths --accessible", "What now?", func(w *window) { w.signal(program, "TERM") }},
	} {
		t.Run(name, func(t *testing.T) {
			private := t.TempDir()
			win := openWindow(t, program+" learn "+end.arguments, t.TempDir(), 80, 24, "GATEWRIGHT_STATE="+t.TempDir(), "TMPDIR="+private)
			win.waitFor(end.shows)
			if begun, err := filepath.Glob(filepath.Join(private, "*", "bookshop", "backend", "project.json")); err != nil || len(begun) != 1 {
				t.Fatalf("there is no folder of the course: %v %v", begun, err)
			}
			end.how(win)
			win.waitFor("exit ")
			if screen := win.screen(); strings.Contains(screen, end.shows) && !strings.Contains(end.arguments, "--accessible") {
				t.Errorf("the terminal still shows the course:\n%s", screen)
			}
			if left, err := os.ReadDir(private); err != nil || len(left) > 0 {
				t.Errorf("files are left: %v %v", left, err)
			}
		})
	}
}

// signal sends a signal to the program that runs in the window.
func (win *window) signal(program, name string) {
	win.t.Helper()
	shell := strings.TrimSpace(win.tmux("display-message", "-p", "#{pane_pid}"))
	for range maxLooks {
		// The shell waits for the program, which is its only child.
		children, err := os.ReadFile("/proc/" + shell + "/task/" + shell + "/children")
		if err != nil {
			win.t.Skip("not tested: the processes of a shell cannot be listed here")
		}
		if pid := strings.TrimSpace(string(children)); pid != "" && !strings.Contains(pid, " ") {
			win.tmux("run-shell", "kill -"+name+" "+pid)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	win.t.Fatalf("the window does not run %s", program)
}
