//go:build unix

package npm_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gatewright/test/await"
	"gatewright/test/depth"
)

var watched = []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGWINCH}

// lastSignal ends the program that watches.
const lastSignal = syscall.SIGTERM

var deaths = map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL, "HUP": syscall.SIGHUP}

// die ends the program by a signal.
func die(name string) int {
	_ = syscall.Kill(os.Getpid(), deaths[name])
	time.Sleep(time.Minute)
	return 1
}

func TestTheLauncherDiesOfWhatTheProgramDiesOf(t *testing.T) {
	depth.Gate(t)
	t.Parallel()
	bothWays(t, func(t *testing.T, underNpm bool) {
		modules := installed(t)
		for _, name := range []string{"INT", "KILL", "TERM", "HUP"}[:depth.Rounds(2, 4, 4)] {
			want := deaths[name]
			cmd := launch(t, modules, underNpm, "die", name)
			_ = cmd.Run()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != want {
				t.Errorf("the end is %v, want signal %v", cmd.ProcessState, want)
			}
		}
	})
}

// TestSignalsReachTheProgramOnce sends signals to the launcher alone, without a terminal.
func TestSignalsReachTheProgramOnce(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, underNpm bool) {
		modules, file := installed(t), filepath.Join(t.TempDir(), "signals")
		cmd := launch(t, modules, underNpm, "watch", file)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		input, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = input.Close() }()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = cmd.Process.Kill() }()
		waitFor(t, file, "started")
		sent := []syscall.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM}
		for _, s := range sent {
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			waitFor(t, file, s.String())
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		if lines := waitFor(t, file, ""); strings.Join(lines[1:], ",") != "interrupt,hangup,quit,terminated" {
			t.Errorf("the program got %v", lines)
		}
	})
}

// waitFor waits until a file has a line with a text, and returns its lines.
func waitFor(t *testing.T, file, text string) []string {
	t.Helper()
	var lines []string
	await.Until(t, file+" to have "+strconv.Quote(text), func() bool {
		content, _ := os.ReadFile(file)
		lines = strings.Split(strings.TrimSpace(string(content)), "\n")
		return slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, text) })
	})
	return lines
}

// window runs a shell script in a window of tmux.
func window(t *testing.T, script string, environment []string) (tmux func(args ...string)) {
	t.Helper()
	depth.Needs(t, "tmux")
	socket := filepath.Join(t.TempDir(), "tmux")
	tmux = func(args ...string) {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-S", socket}, args...)...)
		cmd.Env = environment
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("tmux %v: %v %s", args, err, out)
		}
	}
	tmux("new-session", "-d", "-x", "100", "-y", "30", script)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", socket, "kill-server").Run() })
	return tmux
}

// TestInATerminalTheProgramHasItAndCtrlCArrivesOnce also changes the size of the window.
func TestInATerminalTheProgramHasItAndCtrlCArrivesOnce(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, underNpm bool) {
		modules, file := installed(t), filepath.Join(t.TempDir(), "signals")
		cmd := launch(t, modules, underNpm, "watch", file)
		tmux := window(t, fmt.Sprintf("'%s' '%s' watch '%s'; echo \"exit $?\" >>'%[3]s'; sleep 60", cmd.Path, strings.ReplaceAll(cmd.Args[1], "'", `'\''`), file), cmd.Env)
		if lines := waitFor(t, file, "started"); !strings.HasSuffix(lines[0], "terminal true") {
			t.Errorf("the program has no terminal: %v", lines)
		}
		tmux("resize-window", "-x", "80", "-y", "24")
		waitFor(t, file, "window")
		tmux("send-keys", "C-c")
		waitFor(t, file, "interrupt")
		tmux("send-keys", "C-\\")
		waitFor(t, file, "quit")
		tmux("send-keys", "Enter")
		lines := waitFor(t, file, "exit 0")
		got := slices.DeleteFunc(lines[1:], func(line string) bool { return strings.HasPrefix(line, "window") })
		if strings.Join(got, ",") != "interrupt,quit,input ended,exit 0" {
			t.Errorf("the program got %v", got)
		}
	})
}

// TestAProgramWhoseTerminalIsClosedEnds closes the window while the launcher stays or not.
func TestAProgramWhoseTerminalIsClosedEnds(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, underNpm bool) {
		modules, file := installed(t), filepath.Join(t.TempDir(), "signals")
		cmd := launch(t, modules, underNpm, "watch", file)
		tmux := window(t, fmt.Sprintf("'%s' '%s' watch '%s'", cmd.Path, strings.ReplaceAll(cmd.Args[1], "'", `'\''`), file), cmd.Env)
		waitFor(t, file, "started")
		tmux("kill-window")
		lines := waitFor(t, file, "input ended")
		if n := strings.Count(strings.Join(lines, ","), "hangup"); n > 1 {
			t.Errorf("the program got the hangup %d times: %v", n, lines)
		}
	})
}

// TestUnderNpxSignalsArriveOnceAndTheProgramEndsWithNpx holds npx against a program that writes
// what it gets. npx sends SIGINT to its child although the terminal has done so (npm/cli#8164). Its
// child is a shell, which the launcher replaces (bash) or not (dash).
func TestUnderNpxSignalsArriveOnceAndTheProgramEndsWithNpx(t *testing.T) {
	t.Parallel()
	depth.Gate(t)
	depth.Needs(t, "npx")
	for _, shell := range []string{"sh", "bash"} {
		t.Run(shell, func(t *testing.T) {
			depth.Needs(t, shell)
			s := open(t, "")
			dir := t.TempDir()
			file, pid := filepath.Join(dir, "signals"), filepath.Join(dir, "pid")
			script := fmt.Sprintf(`cd '%s' && sh -c 'echo $$ >%s; exec npx --yes gatewright watch %s'; sleep 60`, dir, pid, file)
			tmux := window(t, script, append(s.environment, "npm_config_script_shell="+shell))
			if lines := waitFor(t, file, "started"); !strings.HasSuffix(lines[0], "terminal true") {
				t.Errorf("the program has no terminal: %v", lines)
			}
			tmux("resize-window", "-x", "80", "-y", "24")
			waitFor(t, file, "window")
			tmux("send-keys", "C-c")
			waitFor(t, file, "interrupt")
			number, err := strconv.Atoi(waitFor(t, pid, "")[0])
			if err != nil {
				t.Fatal(err)
			}
			// npx passes both on to its child. Its SIGINT could be that of a ctrl+c, so it is one too many.
			for _, passed := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				if err := syscall.Kill(number, passed); err != nil {
					t.Fatal(err)
				}
			}
			lines := waitFor(t, file, "terminated")
			got := slices.DeleteFunc(lines[1:], func(line string) bool { return strings.HasPrefix(line, "window") })
			if strings.Join(got, ",") != "interrupt,terminated" {
				t.Errorf("the program got %v", got)
			}
		})
	}
}
