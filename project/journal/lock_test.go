package journal_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
	"gatewright/test/symlink"
)

func TestAHeldLockIsRespectedAtOnce(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		taken, err := journal.Hold(fsys, "lock")
		if err != nil {
			t.Fatal(err)
		}
		committing := journal.Commit(fsys, []journal.Change{createFile("a", "a")})
		if err := fsys.Mkdir(journal.Folder+"/journal", 0o755); err != nil {
			t.Fatal(err)
		}
		_, recovering := journal.Recover(fsys)
		for _, err := range []error{committing, recovering} {
			var locked *journal.LockedError
			if !errors.As(err, &locked) || !errors.Is(err, journal.ErrLocked) {
				t.Fatalf("got %v", err)
			}
			if locked.PID != os.Getpid() || locked.File != ".gatewright/lock" {
				t.Errorf("got %+v", locked)
			}
		}
		assertEqual(t, files(t, fsys), map[string]string{})
		if err := taken.Release(); err != nil {
			t.Error(err)
		}
		recoverNow(t, fsys)
	})
}

// The lock file is of a killed process, or of an older version of this program.
func TestALockFileThatNobodyHoldsDoesNotBlock(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", `{"pid":1`, `{"pid":1,"host":"elsewhere","since":"2026-11-21T10:15:03Z","run":"another"}`} {
		fsys := openDisk(t, t.TempDir())
		for _, name := range []string{"lock", longWork} {
			write(t, fsys, path.Join(journal.Folder, name), content, 0o644)
			if err := journal.Busy(fsys, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := fsys.RemoveAll(journal.Folder + "/deployed"); err != nil {
			t.Error(err)
		}
		assertEqual(t, recoverNow(t, fsys), journal.Recovery{})
		if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err != nil {
			t.Error(err)
		}
	}
}

func TestALockThatIsALinkIsRefused(t *testing.T) {
	t.Parallel()
	dir := linked(t, map[string]string{"link": "bystander"})
	fsys := openDisk(t, dir)
	if err := fsys.Mkdir(journal.Folder, 0o755); err != nil {
		t.Fatal(err)
	}
	symlink.Make(t, "../bystander", path.Join(dir, journal.Folder, "lock"))
	before := files(t, fsys)
	if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err == nil {
		t.Error("committed")
	}
	assertEqual(t, files(t, fsys), before)
}

func TestAnotherWriterIsWaitedForTwoSeconds(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err   error
		waits bool
	}{
		"another writer":                  {&journal.LockedError{PID: 1}, true},
		"what another writer has changed": {&journal.StaleError{}, true},
		"an error that is also given":     {fs.ErrExist, true},
		"any other error":                 {fs.ErrPermission, false},
		"no error":                        {nil, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, ends := range []int{1, 3, 1000} {
					start, calls := time.Now(), 0
					err := journal.WhenFree(t.Context(), func() error {
						if calls++; calls == ends {
							return nil
						}
						return test.err
					}, fs.ErrExist)
					waited := time.Since(start)
					switch {
					case !test.waits && (calls != 1 || waited != 0), test.waits && ends == 3 && (calls != 3 || err != nil):
						t.Errorf("%d calls, %v", calls, err)
					case test.waits && ends == 1000 && (!errors.Is(err, test.err) || waited < 2*time.Second || waited > 3*time.Second):
						t.Errorf("after %v: %v", waited, err)
					}
				}
				start := time.Now()
				_ = journal.WhenFreeWithin(t.Context(), time.Minute, func() error { return test.err }, fs.ErrExist)
				if waited := time.Since(start); test.waits && (waited < time.Minute || waited > 2*time.Minute) || !test.waits && waited != 0 {
					t.Errorf("with a limit of a minute it waits for %v", waited)
				}
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				err := journal.WhenFree(ctx, func() error { return test.err }, fs.ErrExist)
				if !errors.Is(err, test.err) || test.waits && !errors.Is(err, context.Canceled) {
					t.Errorf("canceled: %v", err)
				}
			})
		})
	}
}

func TestConcurrentCommitsAreNeverMixed(t *testing.T) { onEach(t, testConcurrentCommits) }

// Each goroutine commits its own name into all files.
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
	state := map[string]string{}
	for round := range 5 {
		if _, onDisk := fsys.(*disk.FS); onDisk {
			write(t, fsys, journal.Folder+"/lock", "", 0o644) // of a process that was killed
		}
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
