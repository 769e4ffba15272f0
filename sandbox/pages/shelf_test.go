package pages

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shelf is a closed file: a bucket with items on many leaf pages, below one branch page, one of
// them larger than a page, and in it a bucket that is within its page.
type shelf struct {
	name string
	text []byte
	sums []byte
	// killed are the checksums as they were before the file was closed.
	killed []byte
	branch uint64
	leaves map[uint64][]string
}

const shelfKeys = 400

func newShelf(t *testing.T) shelf {
	t.Helper()
	s := shelf{name: filepath.Join(t.TempDir(), "shelf.db"), leaves: make(map[uint64][]string)}
	f, err := Open(s.name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"old", "new"} {
		if err := f.Update(func(tx *Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte("b"))
			for i := range shelfKeys {
				if err == nil {
					err = b.Put(fmt.Appendf(nil, "%04d", i), []byte(strings.Repeat(value, 30)))
				}
			}
			if err != nil {
				return err
			}
			if err := b.Put([]byte("large"), bytes.Repeat([]byte("large"), 2000)); err != nil {
				return err
			}
			small, err := b.CreateBucketIfNotExists([]byte("small"))
			if err != nil {
				return err
			}
			if err := small.SetSequence(7); err != nil {
				return err
			}
			return small.Put([]byte("k"), []byte("v"))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.View(func(tx *Tx) error {
		b := tx.Bucket([]byte("b"))
		s.branch = b.root
		p := b.snapshot.page(b.root)
		for i := range p.count() {
			leaf := b.snapshot.page(p.child(i))
			for n := range leaf.count() {
				key, _, _ := leaf.leaf(n)
				s.leaves[p.child(i)] = append(s.leaves[p.child(i)], string(key))
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	s.killed = readFile(t, s.name+Suffix)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s.text, s.sums = readFile(t, s.name), readFile(t, s.name+Suffix)
	if len(s.leaves) < 5 {
		t.Fatalf("the file has only %d leaf pages", len(s.leaves))
	}
	return s
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// leafOf is the page of a key.
func (s shelf) leafOf(key string) uint64 {
	for id, keys := range s.leaves {
		if slices.Contains(keys, key) {
			return id
		}
	}
	panic("no page has " + key)
}

func (s shelf) page(id uint64) []byte {
	size := uint64(os.Getpagesize())
	return s.text[id*size : (id+1)*size]
}

func (s shelf) freelist(t *testing.T) uint64 {
	t.Helper()
	m, err := newest(s.text, os.Getpagesize())
	if err != nil {
		t.Fatal(err)
	}
	return m.freelist
}

// salvage is what Salvage finds, each element in a line with what is said of it.
func (s shelf) salvage(t *testing.T) (found map[string]string, lost []string) {
	t.Helper()
	if err := os.WriteFile(s.name, s.text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.name + Suffix); err != nil {
		t.Fatal(err)
	}
	if s.sums != nil {
		if err := os.WriteFile(s.name+Suffix, s.sums, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found = make(map[string]string)
	if err := Salvage(s.name, func(f Found) error {
		path := string(bytes.Join(f.Path, []byte("/")))
		if f.Path == nil {
			path = "?"
		}
		if f.Lost {
			lost = append(lost, path)
			return nil
		}
		said := path
		if f.Sound {
			said += " sound"
		}
		if f.Stale {
			said += " stale"
		}
		if f.Bucket {
			said += fmt.Sprintf(" bucket %d", f.Sequence)
		}
		if !f.Bucket {
			said += fmt.Sprintf(" %.3s %d", f.Value, len(f.Value))
		}
		// The checksums tell which is the last state of an item: that is read first. Without them
		// the new state only has to be there.
		if before, again := found[string(f.Key)]; !again || s.sums == nil && said < before {
			found[string(f.Key)] = said
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found, lost
}

// whole is what Salvage finds in a file without damage.
func (s shelf) whole() map[string]string {
	want := map[string]string{"b": "? sound bucket 0", "small": "b sound bucket 7", "k": "b/small sound v 1", "large": "b sound lar 10000"}
	for i := range shelfKeys {
		want[fmt.Sprintf("%04d", i)] = "b sound new 90"
	}
	return want
}
