package lock_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"gatewright/internal/clock"
	"gatewright/internal/file/lock"
)

// TestAHolderIsNamedAsFarAsItIsKnown locks files in which programs of all kinds have written.
func TestAHolderIsNamedAsFarAsItIsKnown(t *testing.T) {
	t.Parallel()
	const seven = "\x00" + `{"pid":7,"since":"2026-11-21T10:15:03Z",`
	since := " since " + clock.Moment(time.Date(2026, 11, 21, 10, 15, 3, 0, time.UTC))
	for content, want := range map[string]string{
		"":                                    "another process",
		"\x00":                                "another process",
		"\x00{":                               "another process",
		"\x00" + `{"pid":-1,"host":"laptop"}`: "another process",
		"\x00" + `{"host":"laptop"}`:          "another process",
		`{"pid":7,"host":"laptop","since":"2026-11-21T10:15:03Z"}`:   "another process",
		seven + `"host":"laptop"}` + "\n" + `":"of an earlier one"}`: "process 7 on laptop" + since,
		seven + `"host":"lap\u001btop","file":"elsewhere"}`:          "process 7 on lap␛top" + since,
	} {
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "lock")
			must(t, os.WriteFile(name, []byte(content), 0o600))
			held := flock.New(name)
			if locked, err := held.TryLock(); err != nil || !locked {
				t.Fatal(locked, err)
			}
			defer func() { _ = held.Unlock() }()
			_, taking := lock.TakePath(name)
			for call, err := range map[string]error{"take": taking, "check": lock.CheckPath(name)} {
				var of *lock.HeldError
				text := name + " is locked by " + want + "; wait until it ends"
				if !errors.As(err, &of) || err.Error() != text || of.Holder() != want || of.File != name {
					t.Errorf("%s: %v", call, err)
				}
			}
			if text, err := os.ReadFile(name); err != nil || string(text) != content {
				t.Errorf("the file of the holder has %q, %v", text, err)
			}
		})
	}
}

// TestOthersThatLookDoNotExcludeEachOther checks a lock that another process has just looked at.
func TestOthersThatLookDoNotExcludeEachOther(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	must(t, os.WriteFile(name, nil, 0o600))
	looks := flock.New(name)
	if locked, err := looks.TryRLock(); err != nil || !locked {
		t.Fatal(locked, err)
	}
	must(t, lock.CheckPath(name))
	must(t, lock.CheckPath(name))
	must(t, looks.Unlock())
	must(t, taken(t, name).Release())
}

func TestAFolderThatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "folder", "lock")
	if _, err := lock.TakePath(name); !errors.Is(err, os.ErrNotExist) || errors.Is(err, lock.ErrHeld) {
		t.Errorf("got %v", err)
	}
}

func TestALockOfTheProcessIsReleasedByItsHolderAlone(t *testing.T) {
	t.Parallel()
	type key struct{ name string }
	first, err := lock.TakeInProcess(key{"own"}, "own")
	must(t, err)
	var held *lock.HeldError
	host, _ := os.Hostname()
	if err := lock.CheckInProcess(key{"own"}); !errors.As(err, &held) {
		t.Fatal(err)
	}
	if held.File != "own" || held.Host != host || held.PID != os.Getpid() || time.Since(held.Since) < 0 {
		t.Errorf("the holder is %+v", held)
	}
	must(t, first.Release())
	second, err := lock.TakeInProcess(key{"own"}, "own")
	must(t, err)
	must(t, first.Release())
	if err := lock.CheckInProcess(key{"own"}); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("the second holder has lost it: %v", err)
	}
	must(t, second.Release())
	must(t, lock.CheckInProcess(key{"own"}))
}
