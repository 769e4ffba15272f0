package journal_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

// foldingFS takes names that differ only in case for the same, and keeps the case of the
// first, as the filesystems of Windows and macOS do.
type foldingFS struct{ afero.Fs }

// stored returns the path with the case that its names have here.
func (f foldingFS) stored(name string) string {
	done := "."
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		entries, _ := afero.ReadDir(f.Fs, done)
		for _, entry := range entries {
			if strings.EqualFold(entry.Name(), part) {
				part = entry.Name()
			}
		}
		done = path.Join(done, part)
	}
	return done
}

func (f foldingFS) Create(name string) (afero.File, error) { return f.Fs.Create(f.stored(name)) }

func (f foldingFS) Open(name string) (afero.File, error) { return f.Fs.Open(f.stored(name)) }

func (f foldingFS) OpenFile(name string, flag int, mode fs.FileMode) (afero.File, error) {
	return f.Fs.OpenFile(f.stored(name), flag, mode)
}

func (f foldingFS) Mkdir(name string, mode fs.FileMode) error {
	return f.Fs.Mkdir(f.stored(name), mode)
}

func (f foldingFS) MkdirAll(name string, mode fs.FileMode) error {
	return f.Fs.MkdirAll(f.stored(name), mode)
}

func (f foldingFS) Remove(name string) error { return f.Fs.Remove(f.stored(name)) }

func (f foldingFS) Stat(name string) (fs.FileInfo, error) { return f.Fs.Stat(f.stored(name)) }

func (f foldingFS) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	info, err := f.Stat(name)
	return info, false, err
}

func (f foldingFS) Chmod(name string, mode fs.FileMode) error {
	return f.Fs.Chmod(f.stored(name), mode)
}

func (f foldingFS) Rename(from, to string) error {
	from, stored := f.stored(from), f.stored(to)
	if stored == from {
		stored = path.Join(path.Dir(stored), path.Base(to))
	}
	return f.Fs.Rename(from, stored)
}

// lazyFS is a foldingFS in which a rename to another case does nothing.
type lazyFS struct{ foldingFS }

func (f lazyFS) Rename(from, to string) error {
	if f.stored(from) == f.stored(to) {
		return nil
	}
	return f.foldingFS.Rename(from, to)
}

// recased are the changes that rename the API mart to Mart, and one more.
func recased() []journal.Change {
	return []journal.Change{
		{Path: "api/mart/cli.json", Existed: true, Old: []byte("old"), Delete: true},
		{Path: "api/mart/event.json", Existed: true, Old: []byte("same"), Delete: true},
		{Path: "api/Mart/cli.json", New: []byte("new")},
		{Path: "api/Mart/event.json", New: []byte("same")},
		{Path: "other.json", New: []byte("other")},
	}
}

func openMart(t *testing.T) (folding foldingFS, before map[string]string) {
	t.Helper()
	fsys := disk.Memory()
	write(t, fsys, "api/mart/cli.json", "old", 0o644)
	write(t, fsys, "api/mart/event.json", "same", 0o644)
	write(t, fsys, "api/mart/left-alone.txt", "text", 0o644)
	return foldingFS{fsys}, files(t, fsys)
}

var afterRecasing = []string{"api/Mart/cli.json", "api/Mart/event.json", "api/Mart/left-alone.txt", "other.json"}

func paths(tree map[string]string) []string {
	var names []string
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func TestARenameMayChangeOnlyTheCaseWhereCaseDoesNotCount(t *testing.T) {
	t.Parallel()
	fsys, _ := openMart(t)
	if err := journal.Commit(fsys, recased()); err != nil {
		t.Fatal(err)
	}
	found := files(t, fsys.Fs)
	if diff := cmp.Diff(afterRecasing, paths(found)); diff != "" {
		t.Error(diff)
	}
	if content, _ := afero.ReadFile(fsys, "api/Mart/cli.json"); string(content) != "new" {
		t.Errorf("the file has %q", content)
	}
}

func TestACommitMayChangeNothingButTheCase(t *testing.T) {
	t.Parallel()
	fsys := foldingFS{disk.Memory()}
	write(t, fsys, "env/dev.json", "same", 0o644)
	err := journal.Commit(fsys, []journal.Change{
		{Path: "env/dev.json", Existed: true, Old: []byte("same"), Delete: true},
		{Path: "env/Dev.json", New: []byte("same")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(files(t, fsys.Fs)); !slices.Equal(got, []string{"env/Dev.json"}) {
		t.Errorf("the files are %q", got)
	}
}

func TestAFileThatOnlyLooksLikeAnotherCaseIsNotReplaced(t *testing.T) {
	t.Parallel()
	fsys, before := openMart(t)
	err := journal.Commit(fsys, []journal.Change{{Path: "api/MART/cli.json", New: []byte("new")}})
	if stale := (*journal.StaleError)(nil); !errors.As(err, &stale) {
		t.Errorf("the error is %v", err)
	}
	if diff := cmp.Diff(before, files(t, fsys.Fs)); diff != "" {
		t.Error(diff)
	}
}

// However early a change of case is killed, Recover finishes it or takes it back.
func TestAKilledChangeOfCaseIsFinishedOrTakenBack(t *testing.T) {
	t.Parallel()
	t.Run("one rename", func(t *testing.T) { killEverywhere(t, func(f foldingFS) afero.Fs { return f }) })
	t.Run("by a third name", func(t *testing.T) { killEverywhere(t, func(f foldingFS) afero.Fs { return lazyFS{f} }) })
}

func killEverywhere(t *testing.T, kind func(foldingFS) afero.Fs) {
	t.Helper()
	for kill := 1; ; kill++ {
		folding, before := openMart(t)
		fsys := kind(folding)
		dying := &faultyFS{below: fsys, trouble: trouble{killAt: kill}}
		err := journal.Commit(dying, recased())
		if !dying.dead {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		done, err := journal.Recover(fsys)
		if err != nil {
			t.Fatalf("kill %d: %v", kill, err)
		}
		found := files(t, folding.Fs)
		switch got := paths(found); {
		case slices.Equal(got, afterRecasing) && done.Outcome != journal.Discarded:
		case cmp.Equal(found, before) && done.Outcome != journal.Completed:
		default:
			t.Fatalf("kill %d: %v leaves %q", kill, done.Outcome, got)
		}
	}
}

// A fault takes all of it back at once.
func TestAChangeOfCaseThatFailsIsTakenBack(t *testing.T) {
	t.Parallel()
	for fail := 1; ; fail++ {
		fsys, before := openMart(t)
		failing := &faultyFS{below: fsys, trouble: trouble{failAt: fail}}
		err := journal.Commit(failing, recased())
		if len(failing.calls) < fail {
			return
		}
		if got := paths(files(t, fsys.Fs)); err == nil && !slices.Equal(got, afterRecasing) {
			t.Fatalf("fault %d: no error, and the files are %q", fail, got)
		}
		if err != nil && !strings.Contains(err.Error(), "the next start") && !strings.Contains(err.Error(), "are written") &&
			!cmp.Equal(files(t, fsys.Fs), before) {
			t.Fatalf("fault %d: %v, and the files are %q", fail, err, paths(files(t, fsys.Fs)))
		}
	}
}

// On the disk of this machine, whichever kind that has.
func TestARenameMayChangeOnlyTheCaseOnThisDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fsys := openDisk(t, dir)
	write(t, fsys, "api/mart/cli.json", "old", 0o644)
	err := journal.Commit(fsys, []journal.Change{
		{Path: "api/mart/cli.json", Existed: true, Old: []byte("old"), Delete: true},
		{Path: "api/Mart/cli.json", New: []byte("new")},
	})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir + "/api")
	if err != nil || len(entries) != 1 || entries[0].Name() != "Mart" {
		t.Errorf("the folders are %v, %v", entries, err)
	}
}
