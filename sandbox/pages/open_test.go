package pages

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func put(t *testing.T, f *File, value string) {
	t.Helper()
	if err := f.Update(func(tx *Tx) error { return tx.Bucket([]byte("b")).Put([]byte("key"), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatIsNotTheOneThatWasWrittenIsNotOpened(t *testing.T) {
	t.Parallel()
	swap := func(t *testing.T, name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for want, damage := range map[string]func(t *testing.T, name string){
		"the file is empty": func(t *testing.T, name string) { swap(t, name, nil) },
		"it is not what was written": func(t *testing.T, name string) {
			// Another file, which has as many changes.
			swap(t, name, newShelf(t).text)
		},
		"the file is truncated": func(t *testing.T, name string) {
			text := readFile(t, name)
			swap(t, name, text[:3*os.Getpagesize()])
		},
		"invalid database": func(t *testing.T, name string) { swap(t, name, []byte(strings.Repeat("text", 8000))) },
		"a meta page is not what was written": func(t *testing.T, name string) {
			text := readFile(t, name)
			text[os.Getpagesize()+headerSize+20] ^= 1
			swap(t, name, text)
		},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			f := opened(t)
			put(t, f, "value")
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, f.Path())
			bad := readFile(t, f.Path())
			for _, o := range []Options{{ReadOnly: true}, {}} {
				if again, err := Open(f.Path(), o); err == nil {
					t.Errorf("with %+v it is opened", o)
					_ = again.Close()
				} else if !IsDamage(err) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "file.db") {
					t.Errorf("with %+v: %v", o, err)
				}
			}
			if string(readFile(t, f.Path())) != string(bad) {
				t.Error("the damaged file was changed")
			}
		})
	}
}

func TestAFileBelongsToOneProcess(t *testing.T) {
	t.Parallel()
	f := opened(t)
	for _, o := range []Options{{Patience: 1}, {Patience: 1, ReadOnly: true}} {
		if _, err := Open(f.Path(), o); !errors.Is(err, ErrOwned) {
			t.Errorf("a file that is open is opened again: %v", err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if err := f.Update(func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("a change after Close: %v", err)
	}
	again, err := Open(f.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	if info, err := os.Stat(f.Path()); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the file: %v, %v", info.Mode(), err)
	}
}

// Without checksums the structure alone is checked: that is told, until they are there again.
func TestAFileWithoutChecksumsIsTaken(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	if err := os.Remove(s.name + Suffix); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		f, err := Open(s.name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if f.Taken() != want || f.Warning() != "" {
			t.Errorf("taken: %v, warning %q", f.Taken(), f.Warning())
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	set := func(key, to string) func() {
		return func() {
			p := page(s.page(s.leafOf(key)))
			at, _ := p.search([]byte(key))
			bytes, _, _ := p.leaf(at)
			copy(bytes, to)
		}
	}
	leaf := s.leaves[s.leafOf("0100")]
	first, last := leaf[0], leaf[len(leaf)-1]
	end, free := uint64(len(s.text)/os.Getpagesize()), s.freelist(t)
	addFree := func(id uint64) func() {
		return func() {
			p := s.page(free)
			n := page(p).count()
			order.PutUint64(p[headerSize+8*n:], id)
			order.PutUint16(p[10:], uint16(n+1))
		}
	}
	const keys, list = "its keys are not what was written", "the list of free pages is not what was written"
	for _, row := range []struct {
		what   string
		damage func()
	}{
		{keys, set(first, "x")},
		{keys, set(first, "!")},
		{keys, set(last, fmt.Sprintf("%04d", 1+number(last)))},
		{"it is not what was written", func() { copy(s.page(s.leafOf("0200")), s.page(s.leafOf("0300"))) }},
		{"it is used twice", addFree(s.leafOf("0200"))},
		{list, addFree(firstPage - 1)},
		{list, addFree(end)},
	} {
		good := append([]byte(nil), s.text...)
		row.damage()
		_ = os.Remove(s.name + Suffix)
		if err := os.WriteFile(s.name, s.text, 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := Open(s.name, Options{}); err == nil {
			t.Errorf("what should be %q is not found", row.what)
			_ = f.Close()
		} else if !IsDamage(err) || !strings.Contains(err.Error(), row.what) {
			t.Errorf("%v, not %q", err, row.what)
		}
		copy(s.text, good)
	}
}

func number(key string) (n int) {
	_, _ = fmt.Sscan(strings.TrimLeft(key, "0"), &n)
	return n
}

func TestAFileThatIsNotTrustedIsNotChangedAndItsChecksumsAreForgotten(t *testing.T) {
	t.Parallel()
	told := 0
	f, err := Open(filepath.Join(t.TempDir(), "file.db"), Options{Damaged: func(*DamageError) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(tx *Tx) error { _, err := tx.CreateBucket([]byte("b")); return err }); err != nil {
		t.Fatal(err)
	}
	err = f.Distrust("an item has another sum")
	const want = "file.db is damaged: page 0: an item has another sum; keep what is whole, once the sandbox has ended, with: gatewright sandbox repair"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, not %q", err, want)
	}
	if err := f.Update(func(*Tx) error { t.Error("a change was begun"); return nil }); !IsDamage(err) {
		t.Errorf("a change: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(f.Path() + Suffix); !errors.Is(err, os.ErrNotExist) || told != 0 {
		t.Errorf("the checksums: %v, told %d times", err, told)
	}
}

func TestAMistakeIsNotDamage(t *testing.T) {
	t.Parallel()
	var none []int
	mistake := Guard(func() error { _ = none[len(none)]; return nil })
	if mistake == nil || IsDamage(mistake) || !strings.HasPrefix(mistake.Error(), "an operation failed: ") {
		t.Errorf("a mistake is %v", mistake)
	}
	if err := Guard(func() error { panic("page 7 is not a leaf") }); !IsDamage(err) || !strings.Contains(err.Error(), "it cannot be read (page 7 is not a leaf)") {
		t.Errorf("what bbolt gives up at is %v", err)
	}
	told := []string{}
	f := opened(t)
	f.options.Damaged = func(d *DamageError) { told = append(told, d.What) }
	for _, what := range []string{"one", "two"} {
		if err := f.View(func(*Tx) error { panic(damaged(3, what)) }); !IsDamage(err) {
			t.Errorf("%v", err)
		}
	}
	if len(told) != 1 || told[0] != "one" {
		t.Errorf("told is %q", told)
	}
}
