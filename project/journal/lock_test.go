package journal_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/afero"

	"gatewright/project/journal"
)

// leaveLock writes a lock as a process of that id, host and run does.
func leaveLock(t *testing.T, fsys afero.Fs, name string, pid int, host string) {
	t.Helper()
	content := fmt.Sprintf(`{"pid":%d,"host":%q,"since":"2026-11-21T10:15:03Z","run":"another"}`, pid, host)
	write(t, fsys, journal.Folder+"/"+name, content, 0o644)
}

func thisHost(t *testing.T) string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	return host
}

func TestALiveLockIsRespectedAtOnce(t *testing.T) {
	tests := map[string]struct {
		pid  int
		host func(t *testing.T) string
	}{
		"process of this host":    {os.Getppid(), thisHost},
		"process of another host": {os.Getpid(), func(*testing.T) string { return "elsewhere.invalid" }},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				host := test.host(t)
				leaveLock(t, fsys, "lock", test.pid, host)
				_, recovering := journal.Recover(fsys)
				committing := journal.Commit(fsys, []journal.Change{createFile("a", "a")})
				for _, err := range []error{recovering, committing} {
					var locked *journal.LockedError
					if !errors.As(err, &locked) || !errors.Is(err, journal.ErrLocked) {
						t.Fatalf("got %v", err)
					}
					since := time.Date(2026, 11, 21, 10, 15, 3, 0, time.UTC)
					assertEqual(t, *locked, journal.LockedError{PID: test.pid, Host: host, Since: since, Lock: ".gatewright/lock"})
					assertEqual(t, err.Error(), fmt.Sprintf("the project is locked: process %d on %s is writing it since 2026-11-21T10:15:03Z; "+
						"wait for it or, if it does not run any more, remove .gatewright/lock", test.pid, host))
				}
				assertEqual(t, files(t, fsys), map[string]string{})
			})
		})
	}
}

func TestADeadLockIsTakenOver(t *testing.T) {
	dead, err := deadPID()
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]func(t *testing.T, fsys afero.Fs){
		"its process ended":       func(t *testing.T, fsys afero.Fs) { leaveLock(t, fsys, "lock", dead, thisHost(t)) },
		"this id, an earlier run": func(t *testing.T, fsys afero.Fs) { leaveLock(t, fsys, "lock", os.Getpid(), thisHost(t)) },
		"never written":           func(t *testing.T, fsys afero.Fs) { write(t, fsys, ".gatewright/lock", "", 0o644) },
		"half written":            func(t *testing.T, fsys afero.Fs) { write(t, fsys, ".gatewright/lock", `{"pid":1`, 0o644) },
		"while it was taken over": func(t *testing.T, fsys afero.Fs) { leaveLocks(t, fsys, dead, "lock", "lock.takeover", "lock.next") },
		"and a second time as well": func(t *testing.T, fsys afero.Fs) {
			leaveLocks(t, fsys, dead, "lock", "lock.takeover", "lock.takeover.takeover")
		},
	}
	for name, leave := range tests {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				synctest.Test(t, func(t *testing.T) {
					leave(t, fsys)
					if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err != nil {
						t.Fatal(err)
					}
					assertSwept(t, fsys)
					leave(t, fsys)
					assertEqual(t, recoverNow(t, fsys), journal.Recovery{})
				})
			})
		})
	}
}

func TestTooManyDeadLocksAreLeftToAPerson(t *testing.T) {
	dead, err := deadPID()
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		const over = ".takeover"
		leaveLocks(t, fsys, dead, "lock", "lock"+over, "lock"+over+over, "lock"+over+over+over, "lock"+over+over+over+over)
		err := journal.Commit(fsys, []journal.Change{createFile("a", "a")})
		if err == nil || !strings.HasSuffix(err.Error(), "remove .gatewright/lock*") {
			t.Errorf("got %v", err)
		}
		assertEqual(t, files(t, fsys), map[string]string{})
	})
}

func leaveLocks(t *testing.T, fsys afero.Fs, pid int, names ...string) {
	t.Helper()
	for _, name := range names {
		leaveLock(t, fsys, name, pid, thisHost(t))
	}
}

func TestALockBeingWrittenIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fsys := afero.NewMemMapFs()
		write(t, fsys, ".gatewright/lock", "", 0o644)
		go func() {
			time.Sleep(100 * time.Millisecond)
			leaveLock(t, fsys, "lock", os.Getppid(), thisHost(t))
		}()
		if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("got %v", err)
		}
	})
}

// slowMemory takes its time between looking whether a file is there and making
// it, as MemMapFs does, where the gap is too short to be hit in a test.
type slowMemory struct{ afero.Fs }

func (s slowMemory) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	if _, err := s.Stat(name); err == nil && flag&os.O_EXCL != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	time.Sleep(time.Millisecond)
	return s.Fs.OpenFile(name, flag&^os.O_EXCL, perm)
}

func TestConcurrentCommitsAreNeverMixed(t *testing.T) {
	onEach(t, testConcurrentCommits)
	t.Run("slow memory", func(t *testing.T) { testConcurrentCommits(t, slowMemory{afero.NewMemMapFs()}) })
}

// Goroutines stand for people here: each wants all files to hold its own name.
func testConcurrentCommits(t *testing.T, fsys afero.Fs) {
	t.Helper()
	names := []string{"a", "b/c", "b/d", "e/f/g"}
	changesTo := func(old map[string]string, content string) []journal.Change {
		var changes []journal.Change
		for _, name := range names {
			found, existed := old[name]
			changes = append(changes, journal.Change{Path: name, Existed: existed, Old: []byte(found), New: []byte(content)})
		}
		return changes
	}
	dead, err := deadPID()
	if err != nil {
		t.Fatal(err)
	}
	state := map[string]string{}
	for round := range 5 {
		leaveLock(t, fsys, "lock", dead, thisHost(t)) // that all of them want to take over
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() { errs[i] = journal.Commit(fsys, changesTo(state, fmt.Sprint(round, i))) })
		}
		all.Wait()

		content, err := afero.ReadFile(fsys, names[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			state[name] = string(content)
			if again, err := afero.ReadFile(fsys, name); string(again) != string(content) {
				t.Fatalf("%s holds %q, %s holds %q, %v", names[0], content, name, again, err)
			}
		}
		committed := 0
		for i, err := range errs {
			var stale *journal.StaleError
			switch {
			case err == nil:
				committed++
				if string(content) != fmt.Sprint(round, i) {
					t.Errorf("%d has committed, the files hold %q", i, content)
				}
			case !errors.Is(err, journal.ErrLocked) && !errors.As(err, &stale):
				t.Errorf("%d: %v", i, err)
			}
		}
		if committed != 1 {
			t.Errorf("%d commits against the same state", committed)
		}
		assertSwept(t, fsys)
	}
}
