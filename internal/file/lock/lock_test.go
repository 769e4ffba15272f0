package lock_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gatewright/internal/file/lock"
	"gatewright/test/symlink"
)

// childLocks names, in the environment, the file that a child locks until it is
// killed.
const childLocks = "GATEWRIGHT_TEST_LOCKS"

func TestMain(m *testing.M) {
	if name := os.Getenv(childLocks); name != "" {
		l, err := lock.TakePath(name)
		if err != nil {
			panic(err)
		}
		fmt.Println("locked")
		time.Sleep(time.Minute)
		_ = l.Release()
	}
	os.Exit(m.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func taken(t *testing.T, name string) *lock.Lock {
	t.Helper()
	l, err := lock.TakePath(name)
	must(t, err)
	t.Cleanup(func() { _ = l.Release() })
	return l
}

// startHolder starts a process that locks the file.
func startHolder(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), childLocks+"="+name)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	t.Cleanup(func() { _, _ = child.Process.Kill(), child.Wait() })
	_, err = bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return child
}

func TestAHeldLockNamesItsProcess(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	host, err := os.Hostname()
	if err != nil {
		t.Skip("not tested: this machine has no name: ", err)
	}
	holders := map[string]func() (pid int){
		"this process":    func() int { taken(t, name+"1"); return os.Getpid() },
		"another process": func() int { return startHolder(t, name+"2").Process.Pid },
	}
	for i, holder := range []string{"this process", "another process"} {
		name := fmt.Sprint(name, i+1)
		before := time.Now().Add(-time.Second)
		pid := holders[holder]()
		_, taking := lock.TakePath(name)
		for call, err := range map[string]error{"take": taking, "check": lock.CheckPath(name)} {
			var held *lock.HeldError
			if !errors.As(err, &held) || !errors.Is(err, lock.ErrHeld) {
				t.Fatalf("%s, %s: %v", holder, call, err)
			}
			if held.PID != pid || held.Host != host || held.File != name || held.Since.Before(before) || held.Since.After(time.Now()) {
				t.Errorf("%s, %s: %+v", holder, call, held)
			}
			if want := fmt.Sprintf("%s is locked by process %d on ", name, pid); !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, %s: %v", holder, call, err)
			}
		}
	}
}

func TestTheLockOfAKilledProcessIsFreeAtOnce(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	child := startHolder(t, name)
	must(t, child.Process.Kill())
	_ = child.Wait()
	must(t, lock.CheckPath(name))
	must(t, taken(t, name).Release())
}

func TestAFileThatNobodyLocksDoesNotBlock(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		"", "{", `{"pid":1,"host":"elsewhere","since":"2026-11-21T10:15:03Z","run":"of an older version"}`, "4711\n",
		"\x00" + `{"pid":1,"host":"a host with a name that is longer than that of any test machine","since":"2026-11-21T10:15:03Z"}`,
	} {
		name := filepath.Join(t.TempDir(), "lock")
		must(t, os.WriteFile(name, []byte(content), 0o644))
		must(t, lock.CheckPath(name))
		l := taken(t, name)
		var held *lock.HeldError
		if _, err := lock.TakePath(name); !errors.As(err, &held) || held.PID != os.Getpid() {
			t.Errorf("over %q: %v", content, err)
		}
		must(t, l.Release())
	}
}

func TestReleaseRemovesTheFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	must(t, taken(t, name).Release())
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestCheckMakesNothing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "folder", "lock")
	for range 2 {
		must(t, lock.CheckPath(name))
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is there: %v", err)
		}
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	}
}

// A holder removes its file, so takers often open one that is replaced meanwhile.
func TestNeverTwoHoldALock(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	var all sync.WaitGroup
	var holders, times atomic.Int32
	for range 8 {
		all.Go(func() {
			for range 50 {
				l, err := lock.TakePath(name)
				if errors.Is(err, lock.ErrHeld) {
					continue
				}
				if err != nil || holders.Add(1) != 1 {
					t.Errorf("%d hold it, %v", holders.Load(), err)
					return
				}
				times.Add(1)
				time.Sleep(100 * time.Microsecond)
				holders.Add(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for range 100 {
				if err := lock.CheckPath(name); err != nil && !errors.Is(err, lock.ErrHeld) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	t.Logf("held %d times", times.Load())
}

func TestAFileThatWasRemovedByHandIsNotRemovedForItsNextHolder(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	first := taken(t, name)
	if err := os.Remove(name); err != nil {
		t.Skip("not tested: this system removes no file that is open: ", err) // Windows
	}
	second := taken(t, name)
	must(t, first.Release())
	must(t, first.Release())
	if err := lock.CheckPath(name); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("the second holder has lost it: %v", err)
	}
	must(t, second.Release())
}

func TestALinkIsNotLocked(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"file", "missing", "folder"} {
		dir := t.TempDir()
		outside := filepath.Join(t.TempDir(), "outside")
		switch kind {
		case "file":
			must(t, os.WriteFile(outside, []byte("precious"), 0o644))
		case "folder":
			must(t, os.Mkdir(outside, 0o755))
		}
		name := filepath.Join(dir, "lock")
		symlink.Make(t, outside, name)
		if _, err := lock.TakePath(name); err == nil || !strings.Contains(err.Error(), "must be a regular file") {
			t.Errorf("a link to a %s: %v", kind, err)
		}
		if content, err := os.ReadFile(outside); kind == "file" && string(content) != "precious" || kind == "missing" && err == nil {
			t.Errorf("a link to a %s: it holds %q, %v", kind, content, err)
		}
	}
}

func TestALockOfTheProcessExcludesByItsKey(t *testing.T) {
	t.Parallel()
	type key struct{ name string }
	l, err := lock.TakeInProcess(key{"a"}, "a")
	must(t, err)
	var held *lock.HeldError
	if _, err := lock.TakeInProcess(key{"a"}, "a"); !errors.As(err, &held) || held.PID != os.Getpid() || held.File != "a" {
		t.Errorf("a second time: %v", err)
	}
	if err := lock.CheckInProcess(key{"a"}); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("while it is held: %v", err)
	}
	must(t, lock.CheckInProcess(key{"b"}))
	must(t, l.Release())
	must(t, lock.CheckInProcess(key{"a"}))
}
