package journal_test

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/spf13/afero"

	"gatewright/project/journal"
)

const longWork = "deployed/dev/lock"

func TestOneAtATimeHoldsALock(t *testing.T) {
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		if err := journal.Busy(fsys, longWork); err != nil {
			t.Fatalf("before anybody holds it: %v", err)
		}
		var all sync.WaitGroup
		var held atomic.Int32
		locks := make([]*journal.Lock, 8)
		for i := range locks {
			all.Go(func() {
				lock, err := journal.Hold(fsys, longWork)
				var locked *journal.LockedError
				switch {
				case err == nil:
					locks[i] = lock
					held.Add(1)
				case !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Lock != ".gatewright/"+longWork:
					t.Errorf("another is told %v", err)
				}
			})
		}
		all.Wait()
		if held.Load() != 1 {
			t.Fatalf("%d hold it", held.Load())
		}
		if err := journal.Busy(fsys, longWork); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("while it is held: %v", err)
		}
		// Neither another lock nor a commit waits for it.
		other, err := journal.Hold(fsys, "deployed/prod/lock")
		if err != nil {
			t.Fatal(err)
		}
		if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err != nil {
			t.Error(err)
		}
		for _, lock := range append(locks, other) {
			if lock != nil {
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := journal.Busy(fsys, longWork); err != nil {
			t.Errorf("after it was given back: %v", err)
		}
	})
}

func TestALockThatAKilledProcessLeftIsFree(t *testing.T) {
	dead, err := deadPID()
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		synctest.Test(t, func(t *testing.T) {
			for _, leave := range []func(){
				func() { leaveLock(t, fsys, longWork, dead, thisHost(t)) },
				func() { write(t, fsys, journal.Folder+"/"+longWork, "", 0o644) },
			} {
				leave()
				if err := journal.Busy(fsys, longWork); err != nil {
					t.Errorf("it is told as %v", err)
				}
				lock, err := journal.Hold(fsys, longWork)
				if err != nil {
					t.Fatal(err)
				}
				if err := lock.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	})
}

func TestTooManyDeadLocksOfLongWorkAreNamed(t *testing.T) {
	dead, err := deadPID()
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		for n := range 5 {
			leaveLock(t, fsys, longWork+strings.Repeat(".takeover", n), dead, thisHost(t))
		}
		if _, err := journal.Hold(fsys, longWork); err == nil || !strings.HasSuffix(err.Error(), "remove .gatewright/deployed/dev/lock*") {
			t.Errorf("got %v", err)
		}
	})
}
