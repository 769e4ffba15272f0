package pages_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatewright/sandbox/pages"
)

// filled is a file with a bucket b of many keys, in a tree of several levels, and in it the
// bucket n and the key z, which is larger than a page.
func filled(t *testing.T) (name string, f *pages.File, keys []string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "file.db")
	f = open(t, name)
	must(t, f.Update(func(tx *pages.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		for i := range 500 {
			key := fmt.Sprintf("k%04d%s", 2*i, strings.Repeat("-", 90))
			keys = append(keys, key)
			if err == nil {
				err = b.Put([]byte(key), []byte(strings.Repeat(key, 3)))
			}
		}
		if err != nil {
			return err
		}
		n, err := b.CreateBucket([]byte("n"))
		if err != nil {
			return err
		}
		return errors.Join(n.SetSequence(5), n.Put([]byte("in"), []byte("n")))
	}))
	must(t, f.Update(func(tx *pages.Tx) error {
		return tx.Bucket([]byte("b")).Put([]byte("z"), bytes.Repeat([]byte("z"), 30_000))
	}))
	return name, f, append(keys, "n", "z")
}

func TestACursorGoesToEachKeyFromEachSide(t *testing.T) {
	t.Parallel()
	_, f, keys := filled(t)
	try := func(tx *pages.Tx) error {
		c := tx.Bucket([]byte("b")).Cursor()
		var there, back []string
		for key, value := c.First(); key != nil; key, value = c.Next() {
			there = append(there, string(key))
			if isBucket := string(key) == "n"; isBucket != (value == nil) {
				t.Errorf("%s has the value %.10q", key, value)
			}
		}
		if key, _ := c.Next(); key != nil {
			t.Errorf("after the last key comes %q", key)
		}
		for key, value := c.Last(); key != nil; key, value = c.Prev() {
			back = append(back, string(key))
			if strings.HasPrefix(string(key), "k") && string(value) != strings.Repeat(string(key), 3) {
				t.Errorf("%s has the value %.10q", key, value)
			}
		}
		slices.Reverse(back)
		if !slices.Equal(there, keys) || !slices.Equal(back, keys) {
			t.Errorf("of %d keys, %d are met on the way there, %d on the way back", len(keys), len(there), len(back))
		}
		at := func(i int) string {
			if i < 0 || i >= len(keys) {
				return ""
			}
			return keys[i]
		}
		for i := range keys {
			// The key itself, one before it that is not there, and one behind it.
			for seek, found := range map[string]int{keys[i]: i, keys[i][:len(keys[i])-1] + "!": i, keys[i] + "!": i + 1} {
				if len(keys[i]) == 1 && seek < keys[i] {
					continue
				}
				got, _ := c.Seek([]byte(seek))
				if string(got) != at(found) {
					t.Errorf("from %q on there is %q", seek, got)
				}
			}
			_, _ = c.Seek([]byte(keys[i]))
			if got, _ := c.Prev(); string(got) != at(i-1) {
				t.Errorf("before %q is %q", keys[i], got)
			}
			_, _ = c.Seek([]byte(keys[i]))
			if got, _ := c.Next(); string(got) != at(i+1) {
				t.Errorf("behind %q is %q", keys[i], got)
			}
		}
		if n := tx.Bucket([]byte("b")).Len(); n != len(keys) {
			t.Errorf("there are %d keys, not %d", n, len(keys))
		}
		return nil
	}
	must(t, f.View(try))
	must(t, f.Update(try))
	must(t, f.Close())
}

func TestBucketsAreMadeReadAndDeleted(t *testing.T) {
	t.Parallel()
	name, f, _ := filled(t)
	inner := []byte("n")
	committed := 0
	failed := errors.New("no")
	for _, wrong := range []error{failed, nil} {
		if err := f.Update(func(tx *pages.Tx) error {
			tx.OnCommit(func() { committed++ })
			b := tx.Bucket([]byte("b"))
			n, err := b.CreateBucketIfNotExists(inner)
			must(t, err)
			if string(n.Get([]byte("in"))) != "n" || n.Sequence() != 5 || b.Get(inner) != nil || tx.Path() != name {
				t.Errorf("the bucket has %q and %d", n.Get([]byte("in")), n.Sequence())
			}
			next, err := n.NextSequence()
			must(t, err)
			must(t, n.Delete([]byte("in")))
			more, err := tx.CreateBucketIfNotExists([]byte("more"))
			must(t, err)
			_, err = more.CreateBucketIfNotExists([]byte("inner"))
			must(t, err)
			must(t, more.DeleteBucket([]byte("inner")))
			if next != 6 || more.Bucket([]byte("inner")) != nil || tx.Bucket([]byte("other")) != nil {
				t.Errorf("the sequence is %d", next)
			}
			return wrong
		}); !errors.Is(err, wrong) {
			t.Errorf("%v, not %v", err, wrong)
		}
		must(t, f.View(func(tx *pages.Tx) error {
			n := tx.Bucket([]byte("b")).Bucket(inner)
			var got []string
			must(t, tx.ForEach(func(name []byte, b *pages.Bucket) error {
				got = append(got, fmt.Sprint(string(name), b.Len()))
				return nil
			}))
			want := []string{"b502"}
			sequence, in := uint64(5), "n"
			if wrong == nil {
				want, sequence, in = append(want, "more0"), 6, ""
			}
			if !slices.Equal(got, want) || n.Sequence() != sequence || string(n.Get([]byte("in"))) != in {
				t.Errorf("after %v there are %q, the sequence %d and %q", wrong, got, n.Sequence(), n.Get([]byte("in")))
			}
			if b := tx.Bucket([]byte("b")); b.Bucket([]byte("none")) != nil || b.Bucket([]byte("z")) != nil || b.Get([]byte("none")) != nil || b.Get(inner) != nil {
				t.Error("what is not there, or another thing, is read")
			}
			return nil
		}))
	}
	if committed != 1 {
		t.Errorf("of two changes one failed, and %d are told to be made", committed)
	}
	must(t, f.Close())
}

// checked are the pages that have a checksum after Close, which are those in use. Those that
// belong to another one are told by its number.
func checked(t *testing.T, name string, text []byte) map[uint64]uint64 {
	t.Helper()
	const head, entry = 8 + 8 + 4*8, 12
	sums, err := os.ReadFile(name + pages.Suffix)
	must(t, err)
	all := make(map[uint64]uint64)
	for b := sums[head:]; len(b) >= entry; b = b[entry:] {
		id := binary.LittleEndian.Uint64(b)
		for more := range uint64(binary.LittleEndian.Uint32(text[id*uint64(os.Getpagesize())+12:])) + 1 {
			all[id+more] = id
		}
	}
	return all
}

func TestAFlippedByteOfAnyPageInUseIsFoundByACheck(t *testing.T) {
	t.Parallel()
	name, f, _ := filled(t)
	must(t, f.Close())
	text, err := os.ReadFile(name)
	must(t, err)
	size := uint64(os.Getpagesize())
	inUse := checked(t, name, text)
	last := slices.Max(slices.Collect(maps.Keys(inUse)))
	if meta := binary.LittleEndian.Uint64(text[size+16+40:]); last+1 != max(meta, binary.LittleEndian.Uint64(text[16+40:])) {
		t.Fatalf("the last page in use is %d of %d", last, meta)
	}
	for id, first := range inUse {
		bad := slices.Clone(text)
		if id%2 == 0 && id == first {
			// Only the checksum knows of this byte of the header.
			bad[id*size+9] ^= 1
		} else {
			bad[(id+1)*size-1] ^= 1
		}
		must(t, os.WriteFile(name, bad, 0o600))
		f, err := pages.Open(name, pages.Options{Check: true})
		if want := fmt.Sprintf("page %d: it is not what was written", first); err == nil || !pages.IsDamage(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("of the damaged page %d, which belongs to %d, a check says %v", id, first, err)
		}
		if f != nil {
			must(t, f.Close())
		}
	}
	must(t, os.WriteFile(name, text, 0o600))
	must(t, open(t, name).Close())
}
