package state

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gatewright/test/symlink"
)

// ownsState is the environment variable with the state folder that a child process owns
// until it is killed.
const ownsState = "SANDBOX_TEST_HOLDS"

func TestMain(m *testing.M) {
	if state := os.Getenv(ownsState); state != "" {
		o, err := Own(state)
		if err != nil {
			panic(err)
		}
		_, _ = os.Stdout.WriteString("held\n")
		time.Sleep(time.Minute)
		_ = o.Release()
	}
	os.Exit(m.Run())
}

// check ends a test with an error.
func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// owned takes ownership of a state folder for a test.
func owned(t *testing.T, state string) *Owner {
	t.Helper()
	o, err := Own(state)
	check(t, err)
	t.Cleanup(func() { _ = o.Release() })
	return o
}

func TestAStateFolderHasOneOwner(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "deep", "state")
	first := owned(t, state)
	var running *RunningError
	if _, err := Own(state); !errors.As(err, &running) || running.PID != os.Getpid() {
		t.Fatalf("a second owner gets %v", err)
	}
	if !IsOwned(state) {
		t.Error("the folder counts as free")
	}
	check(t, first.Release())
	if IsOwned(state) {
		t.Error("the folder counts as owned after its release")
	}
	owned(t, state)
}

func TestAKilledOwnerLosesTheFolder(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), ownsState+"="+state)
	out, err := holder.StdoutPipe()
	check(t, err)
	check(t, holder.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	check(t, err)
	check(t, Run{Version: RunVersion, PID: holder.Process.Pid, Address: "http://127.0.0.1:1"}.Write(state))

	var running *RunningError
	if _, err := Own(state); !errors.As(err, &running) || running.PID != holder.Process.Pid || running.Address != "http://127.0.0.1:1" {
		t.Errorf("a second owner gets %v", err)
	}
	check(t, holder.Process.Kill())
	_ = holder.Wait()
	o := owned(t, state)
	if !o.Killed {
		t.Error("the next owner does not notice that the first was killed")
	}
	if _, err := os.Stat(filepath.Join(state, RunFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("run.json of the killed owner is left: %v", err)
	}
}

func TestTheRunFileIsPrivateAndVersioned(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	check(t, Run{Version: RunVersion, PID: 7, Token: "secret"}.Write(state))
	info, err := os.Stat(filepath.Join(state, RunFile))
	check(t, err)
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("the file has the permissions %o", mode)
	}
	check(t, os.WriteFile(filepath.Join(state, RunFile), []byte(`{"version": 99, "pid": 7}`), 0o600))
	if _, err := ReadRun(state); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("a file of another version is read: %v", err)
	}
}

func TestLinksInTheStateAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{lockFile, RunFile, DataFolder, DataFolder + "/logs", DataFolder + "/logs/dev/items.log", WorkFolder, WorkFolder + "/runtime"} {
		outside := filepath.Join(t.TempDir(), "outside")
		check(t, os.WriteFile(outside, []byte("precious"), 0o600))
		state := t.TempDir()
		place := filepath.Join(state, filepath.FromSlash(name))
		check(t, os.MkdirAll(filepath.Dir(place), 0o700))
		symlink.Make(t, outside, place)
		if _, err := Own(state); err == nil || !strings.Contains(err.Error(), "link") {
			t.Errorf("%s: owning the state gives %v", name, err)
		}
		if text, err := os.ReadFile(outside); err != nil || string(text) != "precious" {
			t.Errorf("%s: the file that it leads to holds %q: %v", name, text, err)
		}
	}
}
