package journal_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

func benchFS(b *testing.B) afero.Fs {
	b.Helper()
	fsys, err := disk.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { fsys.Close() })
	return fsys
}

// BenchmarkTenFiles compares ten files by Commit with writing and syncing one after the
// other, which a crash can interrupt.
func BenchmarkTenFiles(b *testing.B) {
	const count = 10
	name := func(i int) string { return fmt.Sprintf("%d.json", i) }
	b.Run("commit", func(b *testing.B) {
		fsys := benchFS(b)
		for n := 0; b.Loop(); n++ {
			var changes []journal.Change
			for i := range count {
				changes = append(changes, journal.Change{
					Path: name(i), Existed: n > 0, Old: []byte(strconv.Itoa(n)), New: []byte(strconv.Itoa(n + 1)),
				})
			}
			if err := journal.Commit(fsys, changes); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write in place", func(b *testing.B) {
		fsys := benchFS(b)
		for n := 0; b.Loop(); n++ {
			for i := range count {
				file, err := fsys.Create(name(i))
				if err != nil {
					b.Fatal(err)
				}
				_, writing := file.WriteString(strconv.Itoa(n))
				syncing := file.Sync()
				if closing := file.Close(); writing != nil || syncing != nil || closing != nil {
					b.Fatal(writing, syncing, closing)
				}
			}
		}
	})
}

// BenchmarkNothingToRecover measures Recover at every start of the program.
func BenchmarkNothingToRecover(b *testing.B) {
	b.Run("recover", func(b *testing.B) {
		fsys := benchFS(b)
		for b.Loop() {
			if _, err := journal.Recover(fsys); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("one stat", func(b *testing.B) {
		fsys := benchFS(b)
		for b.Loop() {
			_, _ = fsys.Stat("project.json")
		}
	})
}
