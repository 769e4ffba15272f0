package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The last page has to be one that nothing else checks, as the list of free pages is. A leaf is the
// last one if it is too long for the free pages.
func TestTheLastPageOfAFileIsChecked(t *testing.T) {
	t.Parallel()
	f := opened(t)
	last := func() uint64 {
		memory := mapped(f.db, f.now.end)
		live := f.live(memory)
		id := live[len(live)-1].id
		if p := raw(memory, f.pageSize, id); p.kind() == leafPage && id+uint64(p.overflow())+1 == f.now.end {
			return id
		}
		return 0
	}
	for n := 0; last() == 0; n++ {
		if n == 1000 {
			t.Fatal("the last page of the file is never a leaf")
		}
		if err := f.Update(func(tx *Tx) error {
			return tx.Bucket([]byte("b")).Put(fmt.Appendf(nil, "%d", n*7919%1000), []byte(strings.Repeat("v", 3*f.pageSize/2+n)))
		}); err != nil {
			t.Fatal(err)
		}
	}
	id, end := last(), int(f.now.end)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, f.Path())
	text[end*f.pageSize-1] ^= 1
	if err := os.WriteFile(f.Path(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(f.Path(), Options{Check: true}); !IsDamage(err) || !strings.Contains(err.Error(), fmt.Sprintf("page %d:", id)) {
		t.Errorf("of the last page %d: %v", id, err)
	}
}

// Each change has to meet the damage: what it would make of a damaged page is as damaged.
func TestAChangeMeetsTheDamageOfWhatItReadsOrReplaces(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	here := s.leafOf("0200")
	before := s.leafOf(fmt.Sprintf("%04d", number(s.leaves[here][0])-1))
	for _, row := range []struct {
		what   string
		page   uint64
		change func(b *Bucket) error
	}{
		{"reads all keys", before, func(b *Bucket) error { b.Len(); return nil }},
		{"reads a key", before, func(b *Bucket) error { b.Get([]byte(s.leaves[before][0])); return nil }},
		{"changes a key", before, func(b *Bucket) error { return b.Put([]byte(s.leaves[before][0]), []byte("x")) }},
		{"deletes a key", before, func(b *Bucket) error { return b.Delete([]byte(s.leaves[before][0])) }},
		{"makes a bucket", before, func(b *Bucket) error { _, err := b.CreateBucket([]byte(s.leaves[before][0] + "a")); return err }},
		{"makes the page before part of this one", before, func(b *Bucket) error {
			for _, key := range s.leaves[here][1:] {
				if err := b.Delete([]byte(key)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"has nothing to do", s.freelist(t), func(*Bucket) error { return nil }},
	} {
		name := filepath.Join(t.TempDir(), "file.db")
		for suffix, text := range map[string][]byte{"": s.text, Suffix: s.sums} {
			if err := os.WriteFile(name+suffix, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Open(name, Options{Check: true})
		if err != nil {
			t.Fatal(err)
		}
		// The value of the last element ends the page.
		flipped := []byte{s.page(row.page)[f.pageSize-1] ^ 1}
		if row.page == s.freelist(t) {
			flipped[0] = 1
		}
		if _, err := f.handle.WriteAt(flipped, int64(row.page+1)*int64(f.pageSize)-1); err != nil {
			t.Fatal(err)
		}
		err = f.Update(func(tx *Tx) error { return row.change(tx.Bucket([]byte("b"))) })
		if want := fmt.Sprintf("page %d: it is not what was written", row.page); !IsDamage(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("a change that %s: %v, not %s", row.what, err, want)
		}
		if err := f.Update(func(*Tx) error { return nil }); !IsDamage(err) {
			t.Errorf("after a change that %s: %v", row.what, err)
		}
		sums := readFile(t, name+Suffix)
		if err := f.Close(); err != nil {
			t.Errorf("a change that %s: %v", row.what, err)
		}
		if string(readFile(t, name+Suffix)) != string(sums) {
			t.Errorf("after a change that %s the damage has checksums", row.what)
		}
	}
}

func TestTheListOfFreePagesHasItsLengthWhereItIsLong(t *testing.T) {
	t.Parallel()
	list := func(kind, count int, ids ...uint64) page {
		p := make(page, headerSize)
		order.PutUint16(p[8:], uint16(kind))
		order.PutUint16(p[10:], uint16(count))
		for _, id := range ids {
			p = order.AppendUint64(p, id)
		}
		return p
	}
	for want, p := range map[string]page{
		"[7 9]":                              list(freelistPage, 2, 7, 9, 11),
		"[]":                                 list(freelistPage, 0, 7),
		"[5 6 8]":                            list(freelistPage, manyFree, 3, 5, 6, 8, 10),
		"this is not the list of free pages": list(leafPage, 1, 7),
		"the list of free pages is longer than its page":  list(freelistPage, 3, 7, 9),
		"the list of free pages is longer than its page ": list(freelistPage, manyFree, 3, 7, 9),
	} {
		var got string
		if err := guarded(func() error { got = fmt.Sprint(p.free()); return nil }); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, strings.TrimSpace(want)) {
			t.Errorf("the list is %s, not %s", got, want)
		}
	}
}
