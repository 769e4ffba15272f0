package pages

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A file of checksums that lacks a record would make whole pages look damaged.
func TestChecksumsWithoutARecordAreRemovedEachTime(t *testing.T) {
	t.Parallel()
	s := seal{name: filepath.Join(t.TempDir(), "file.db")}
	for n := uint64(1); n < 6; n += 2 {
		r := record{meta{txid: n}, []pageSum{{id: 3, sum: 4}}}
		if err := s.write(r); err != nil {
			t.Fatal(err)
		}
		known, err := readSeal(s.name)
		if err != nil || known.last.txid != n || known.records != 1 {
			t.Fatalf("%+v, %v", known, err)
		}
		if err := s.f.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.add(record{meta{txid: n + 1}, nil}); err == nil {
			t.Error("a record that is not written is not told")
		}
		if _, err := os.Stat(s.name + Suffix); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after %d writes the file of checksums is still there: %v", n, err)
		}
	}
}
