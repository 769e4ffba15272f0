package table

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/sandbox/pages"
	"gatewright/test/depth"
)

// repaired repairs a damaged file and returns what was kept, by table, with the new tables.
func repaired(t *testing.T, name string) (map[string]Kept, *Store) {
	t.Helper()
	into := filepath.Join(t.TempDir(), "tables.db")
	kept, err := Repair(name, into)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(into, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	all := make(map[string]Kept)
	for _, k := range kept {
		all[k.Table] = k
	}
	return all, s
}

// bytesOf are all bytes of a file.
func bytesOf(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeBytes(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// freeList is the number of the page with the list of free pages, as the newest meta page has it.
func freeList(text []byte) int {
	newest, page := uint64(0), 0
	for at := 0; at <= os.Getpagesize(); at += os.Getpagesize() {
		const header, list, txid = 16, 32, 48
		number := func(field int) (n uint64) {
			for i := range 8 {
				n |= uint64(text[at+header+field+i]) << (8 * i)
			}
			return n
		}
		if n := number(txid); n >= newest {
			newest, page = n, int(number(list))
		}
	}
	return page
}

func TestNoDamagedPageCostsATable(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	a, s := newAttacked(t, 300)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, page := bytesOf(t, a.name), os.Getpagesize()
	for at := 2 * page; at+page <= len(text); at += page {
		damaged := append([]byte{}, text...)
		for i := range page {
			damaged[at+i] ^= 0x55
		}
		writeBytes(t, a.name, damaged)
		kept, s := repaired(t, a.name)
		for _, table := range attackedTables {
			// As many items as one page may have.
			const least = 190
			if got := itemCount(t, s, table, ""); got < least || kept[table].Items != got || itemCount(t, s, table, "byG") != got {
				t.Errorf("page %d: %d items of %s are kept of %d: %+v", at/page, got, table, len(a.items[table]), kept[table])
			}
		}
	}
}

func TestItemsAreKeptWithoutTheListOfFreePagesAndWithoutTheirRoot(t *testing.T) {
	t.Parallel()
	depth.WithoutRace(t)
	for _, lost := range []string{"", pages.Suffix, DefinitionsSuffix} {
		t.Run("without "+lost, func(t *testing.T) {
			a, s := newAttacked(t, 301)
			for i := range 100 {
				if err := a.put(s, "plain", fmt.Sprintf("item %d", i)); err != nil {
					t.Fatal(err)
				}
			}
			image, sums := bytesOf(t, a.name), bytesOf(t, a.name+pages.Suffix)
			copies := bytesOf(t, a.name+DefinitionsSuffix)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			a.name = filepath.Join(t.TempDir(), "tables.db")
			page := os.Getpagesize()
			for at := 2 * page; at+page <= len(image); at += page {
				// The list of free pages, and all pages that lead to others.
				const kind, branch = 8, 1
				if at/page == freeList(image) || image[at+kind] == branch {
					copy(image[at:at+page], make([]byte, page))
				}
			}
			writeBytes(t, a.name, image)
			for suffix, text := range map[string][]byte{pages.Suffix: sums, DefinitionsSuffix: copies} {
				if suffix != lost {
					writeBytes(t, a.name+suffix, text)
				}
			}
			kept, s := repaired(t, a.name)
			for _, table := range attackedTables {
				k, found := kept[table], 0
				for id, value := range a.items[table] {
					answer, err := s.Do(t.Context(), "GetItem", fmt.Appendf(nil, `{"TableName":%q,"Key":{"id":{"S":%q}}}`, table, id))
					if err != nil {
						t.Fatal(err)
					}
					// Without the checksums of pages it is unknown which of two was written last.
					if lost == pages.Suffix {
						value = ""
					}
					if strings.Contains(string(answer), `"v":{"S":"`+value) {
						found++
					}
				}
				if found != len(a.items[table]) {
					t.Errorf("%d of %d items of %s are as they were", found, len(a.items[table]), table)
				}
				if k.Stale < found || k.Stale > k.Items {
					t.Errorf("%s: it is said that %d of %d may be old", table, k.Stale, k.Items)
				}
			}
		})
	}
}

func TestWhatWasDeletedStaysDeletedIfOnlyTheListOfFreePagesIsLost(t *testing.T) {
	t.Parallel()
	a, s := newAttacked(t, 302)
	image, sums := bytesOf(t, a.name), bytesOf(t, a.name+pages.Suffix)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	copy(image[freeList(image)*os.Getpagesize():], make([]byte, os.Getpagesize()))
	writeBytes(t, a.name, image)
	writeBytes(t, a.name+pages.Suffix, sums)
	kept, _ := repaired(t, a.name)
	for _, table := range attackedTables {
		if k := kept[table]; k.Items != len(a.items[table]) || k.Stale != 0 {
			t.Errorf("%+v of %d items", k, len(a.items[table]))
		}
	}
}

func TestTheCopyOfTheDefinitionsFollowsEveryChange(t *testing.T) {
	t.Parallel()
	a, s := newAttacked(t, 303)
	has := func(want ...string) {
		t.Helper()
		defs, known, err := readDefinitions(a.name)
		if err != nil || !known {
			t.Fatal(known, err)
		}
		var got []string
		for _, d := range defs {
			got = append(got, d.TableName)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the copy has %v, not %v", got, want)
		}
	}
	has("indexed", "plain")
	a.must(s, "DeleteTable", `{"TableName":"plain"}`)
	has("indexed")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(a.name + DefinitionsSuffix); err != nil {
		t.Fatal(err)
	}
	s, err := Open(a.name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	has("indexed")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
