package journal_test

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/spf13/afero"

	"gatewright/internal/file/lock"
	"gatewright/project/journal"
)

const longWork = "deployed/dev/lock"

func TestOneAtATimeHoldsALock(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		if err := journal.Busy(fsys, longWork); err != nil {
			t.Fatalf("before anybody holds the lock: %v", err)
		}
		var all sync.WaitGroup
		var held atomic.Int32
		locks := make([]*lock.Lock, 8)
		for i := range locks {
			all.Go(func() {
				taken, err := journal.Hold(fsys, longWork)
				var locked *journal.LockedError
				switch {
				case err == nil:
					locks[i] = taken
					held.Add(1)
				case !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.File != ".gatewright/"+longWork:
					t.Errorf("another goroutine gets %v", err)
				}
			})
		}
		all.Wait()
		if held.Load() != 1 {
			t.Fatalf("%d goroutines hold the lock", held.Load())
		}
		if err := journal.Busy(fsys, longWork); !errors.Is(err, journal.ErrLocked) {
			t.Errorf("while the lock is held: %v", err)
		}
		// Neither another lock nor a commit waits for it.
		other, err := journal.Hold(fsys, "deployed/prod/lock")
		if err != nil {
			t.Fatal(err)
		}
		if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err != nil {
			t.Error(err)
		}
		for _, taken := range append(locks, other) {
			if taken != nil {
				if err := taken.Release(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := journal.Busy(fsys, longWork); err != nil {
			t.Errorf("after it was given back: %v", err)
		}
	})
}
