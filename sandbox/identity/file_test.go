package identity_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/pages"

	"gatewright/sandbox/identity/file"
)

var bucket = []byte("bucket")

// newFile is the name and the bytes of a file with a thousand records.
func newFile(t *testing.T) (name string, good []byte) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "users.db")
	f, err := file.Open(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(tx *pages.Tx) error {
		b, err := tx.CreateBucket(bucket)
		for i := range 1000 {
			if err == nil {
				err = b.Put(fmt.Appendf(nil, "%04d", i), bytes.Repeat([]byte{'x'}, 200))
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if good, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	return name, good
}

// openAndUse opens a file, reads and changes it, and closes it, and returns the first error.
func openAndUse(name string) error {
	f, err := file.Open(name, nil)
	if err != nil {
		return err
	}
	return errors.Join(f.View(readAll), f.Update(changeAll), f.Close())
}

func readAll(tx *pages.Tx) error {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil
	}
	return b.ForEach(func(_, value []byte) error { _ = bytes.Count(value, []byte("x")); return nil })
}

func changeAll(tx *pages.Tx) error {
	b, err := tx.CreateBucketIfNotExists(bucket)
	for i := range 1000 {
		if err == nil {
			err = b.Put(fmt.Appendf(nil, "%04d", i), []byte("short"))
		}
	}
	return err
}

func TestDamagedFileIsAnErrorAndNotACrash(t *testing.T) {
	t.Parallel()
	name, good := newFile(t)
	if err := openAndUse(name); err != nil {
		t.Fatalf("the whole file cannot be used: %v", err)
	}
	const page = 4096
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(at []byte) {
		for i := range at {
			at[i] = byte(random.Uint32())
		}
	}
	refused := 0
	for i := range 200 {
		bad := bytes.Clone(good)
		at := random.IntN(len(bad)/page) * page
		switch i % 4 {
		case 0:
			noise(bad[at : at+page])
		case 1:
			bad = bad[:random.IntN(len(bad))]
		case 2:
			noise(bad[at : at+64])
		case 3:
			clear(bad[at : at+page])
		}
		// A file that met damage stays locked until the process ends.
		if err := errors.Join(os.Remove(name), os.WriteFile(name, bad, 0o600)); err != nil {
			t.Fatal(err)
		}
		if err := openAndUse(name); err != nil {
			refused++
			if text := err.Error(); !strings.HasPrefix(text, "the users in ") || !strings.Contains(text, "move the file away") {
				t.Errorf("the error of a damaged file is %q", text)
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d of 200 damaged files were refused", refused)
	}
}

func TestTruncatedFileIsRefusedOnOpen(t *testing.T) {
	t.Parallel()
	name, good := newFile(t)
	if err := os.Truncate(name, int64(len(good)/2)); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Open(name, nil); err == nil || !strings.Contains(err.Error(), " cannot be used: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the file is opened: %v", err)
	}
}

func TestNoChangesAfterAChangeThatMetDamage(t *testing.T) {
	t.Parallel()
	name, _ := newFile(t)
	f, err := file.Open(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := f.Update(func(*pages.Tx) error { panic("a page is wrong") })
	if first == nil || !strings.Contains(first.Error(), "a page is wrong") {
		t.Errorf("the change gives %v", first)
	}
	if again := f.Update(changeAll); again == nil || again.Error() != first.Error() {
		t.Errorf("the next change gives %v", again)
	}
	if err := f.View(readAll); err != nil {
		t.Errorf("nothing can be read: %v", err)
	}
}

func TestReadingWaitsForNobodyAndChangesNothing(t *testing.T) {
	t.Parallel()
	name, good := newFile(t)
	if err := file.Read(name, readAll); err != nil {
		t.Errorf("a file that nobody uses: %v", err)
	}
	f, err := file.Open(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Read(name, readAll); !errors.Is(err, file.ErrOwned) {
		t.Errorf("a file that another process uses: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, good) {
		t.Errorf("reading has changed the file: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "users.db")
	if err := file.Read(missing, readAll); err == nil {
		t.Error("a missing file is read")
	}
	if _, err := os.Lstat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading a missing file makes it: %v", err)
	}
	for _, length := range []int{0, 100, len(good) / 2} {
		damaged := filepath.Join(t.TempDir(), "users.db")
		if err := os.WriteFile(damaged, good[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := file.Read(damaged, readAll); err == nil {
			t.Errorf("the first %d bytes of a file are read without an error", length)
		}
		if now, err := os.ReadFile(damaged); err != nil || len(now) != length {
			t.Errorf("reading has changed a damaged file: %v", err)
		}
	}
}

func TestFileIsOpenInOneProcessOnly(t *testing.T) {
	t.Parallel()
	name, _ := newFile(t)
	f, err := file.Open(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Open(name, nil); !errors.Is(err, file.ErrOwned) {
		t.Errorf("the second process gets %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := openAndUse(name); err != nil {
		t.Errorf("the next process gets %v", err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v: %v", info.Mode(), err)
	}
}
