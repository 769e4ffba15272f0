package pages_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/test/depth"
)

// salvaged is what Salvage finds in a file, as content is.
func salvaged(t *testing.T, name string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, pages.Salvage(name, func(f pages.Found) error {
		if !f.Bucket && !f.Lost {
			all[string(bytes.Join(append(slices.Clone(f.Path), f.Key), []byte("/")))] = string(f.Value)
		}
		return nil
	}))
	return all
}

func TestWhatWasDeletedStaysDeletedAlsoInWhatIsSalvaged(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	name := filepath.Join(t.TempDir(), "file.db")
	f := open(t, name)
	put := func(from, to int) {
		must(t, f.Update(func(tx *pages.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for i := from; i < to && err == nil; i++ {
				err = b.Put(fmt.Appendf(nil, "%04d", i), bytes.Repeat([]byte{'v'}, 300))
			}
			return err
		}))
	}
	put(0, 2000)
	must(t, f.Update(func(tx *pages.Tx) error {
		b := tx.Bucket([]byte("b"))
		for i := 100; i < 2000; i++ {
			if err := b.Delete(fmt.Appendf(nil, "%04d", i)); err != nil {
				return err
			}
		}
		return nil
	}))
	size := func() int64 {
		info, err := os.Stat(name + pages.Suffix)
		must(t, err)
		return info.Size()
	}
	// The file of checksums is replaced by one record when it has become long.
	for before := int64(0); size() >= before; {
		before = size()
		put(0, 100)
	}
	want, err := content(f)
	must(t, err)
	got := salvaged(t, copied(t, name))
	if !maps.Equal(got, want) {
		t.Errorf("%d keys are salvaged of %d", len(got), len(want))
	}
	must(t, f.Close())
	if got := salvaged(t, name); !maps.Equal(got, want) {
		t.Errorf("after Close %d keys are salvaged of %d", len(got), len(want))
	}
}

func TestAFileWithADamagedMetaPageIsSalvaged(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(8, 7))
	name := filepath.Join(t.TempDir(), "file.db")
	f, model := open(t, name), make(map[string]string)
	for range 30 {
		must(t, change(f, random, model))
	}
	must(t, f.Close())
	for page := range 2 {
		bad := copied(t, name)
		text, err := os.ReadFile(bad)
		must(t, err)
		for at := 20; at < 100; at++ {
			text[page*4096+at] ^= 0x55
		}
		must(t, os.WriteFile(bad, text, 0o600))
		if _, err := pages.Open(bad, pages.Options{}); !pages.IsDamage(err) {
			t.Errorf("meta page %d: %v", page, err)
		}
		if got := salvaged(t, bad); !maps.Equal(got, model) {
			t.Errorf("meta page %d: %d keys are salvaged of %d", page, len(got), len(model))
		}
	}
}
