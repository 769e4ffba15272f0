package pages

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// opened is a new file with a bucket.
func opened(t *testing.T) *File {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "file.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := f.Update(func(tx *Tx) error { _, err := tx.CreateBucket([]byte("b")); return err }); err != nil {
		t.Fatal(err)
	}
	return f
}

// behind makes a change of which File knows nothing.
func behind(t *testing.T, f *File) {
	t.Helper()
	if err := f.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket([]byte("b")).Put([]byte("key"), []byte("value")) }); err != nil {
		t.Fatal(err)
	}
}

func read(f *File) error {
	return f.View(func(tx *Tx) error { tx.Bucket([]byte("b")).Get([]byte("key")); return nil })
}

// The disk cannot be made to fail here between the meta page and its sync, so the change is
// made in full, and its error comes afterwards.
func TestAChangeThatFailsAfterOthersSeeItIsDamage(t *testing.T) {
	t.Parallel()
	f := opened(t)
	failed := errors.New("input/output error")
	if err := f.unfinished(failed); err != failed {
		t.Errorf("an error before anything was changed is %v", err)
	}
	behind(t, f)
	if err := f.unfinished(failed); !IsDamage(err) || !strings.Contains(err.Error(), "a change could not be finished: input/output error") {
		t.Errorf("%v", err)
	}
}

func TestAChangeThatNobodyHereMadeIsDamageToReaders(t *testing.T) {
	t.Parallel()
	f := opened(t)
	if err := read(f); err != nil {
		t.Fatal(err)
	}
	behind(t, f)
	for range 2 {
		if err := read(f); !IsDamage(err) {
			t.Errorf("%v", err)
		}
	}
	if err := f.Update(func(*Tx) error { return nil }); !IsDamage(err) {
		t.Errorf("%v", err)
	}
}
