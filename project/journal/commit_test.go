package journal_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/journal"
)

func TestCommitCreatesReplacesAndDeletes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		changes []journal.Change
		want    map[string]string
	}{
		{
			"create in the project folder",
			[]journal.Change{createFile("z.json", "z")},
			map[string]string{"z.json": "-rw-r--r-- z"},
		},
		{
			"create in folders that are missing",
			[]journal.Change{createFile("x/y/z.json", "z"), createFile("x/w.json", "")},
			map[string]string{"x/": "", "x/y/": "", "x/y/z.json": "-rw-r--r-- z", "x/w.json": "-rw-r--r-- "},
		},
		{
			"replace with shorter and with longer content",
			[]journal.Change{replace("backend/a.json", "old a", "a"), replace("backend/same.json", "same", "not the same")},
			map[string]string{"backend/a.json": "-rw-r--r-- a", "backend/same.json": "-rw-r--r-- not the same"},
		},
		{
			"replace keeps the permission bits",
			[]journal.Change{replace("backend/run.sh", "old run", "run"), replace("backend/gone/deep/b.json", "old b", "b")},
			map[string]string{"backend/run.sh": "-rwxr-xr-x run", "backend/gone/deep/b.json": "-rw------- b"},
		},
		{
			"delete removes the folder that it empties",
			[]journal.Change{remove("backend/gone/deep/b.json", "old b")},
			map[string]string{"backend/gone/deep/b.json": "gone", "backend/gone/": "gone", "backend/gone/deep/": "gone"},
		},
		{
			"delete keeps a folder with other files",
			[]journal.Change{remove("backend/a.json", "old a")},
			map[string]string{"backend/a.json": "gone"},
		},
		{
			"all at once",
			mixedChanges(),
			map[string]string{
				"backend/a.json": "-rw-r--r-- a new a", "backend/run.sh": "-rwxr-xr-x new run",
				"backend/gone/deep/b.json": "gone", "backend/gone/": "gone", "backend/gone/deep/": "gone",
				"backend/new/": "", "backend/new/deep/": "", "backend/new/deep/c.json": "-rw-r--r-- new c",
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				setUp(t, fsys)
				want := tree(t, fsys)
				for name, content := range test.want {
					want[name] = content
					if content == "gone" {
						delete(want, name)
					}
				}
				if err := journal.Commit(fsys, test.changes); err != nil {
					t.Fatal(err)
				}
				assertEqual(t, tree(t, fsys), want)
				assertSwept(t, fsys)
			})
		})
	}
}

func TestTheFolderKeepsItselfOutOfVersionControl(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		// A killed process may leave the file empty.
		write(t, fsys, journal.Folder+"/.gitignore", "", 0o644)
		if err := journal.Commit(fsys, []journal.Change{createFile("a", "a")}); err != nil {
			t.Fatal(err)
		}
		content, err := afero.ReadFile(fsys, journal.Folder+"/.gitignore")
		if err != nil || string(content) != "*\n" {
			t.Errorf("got %q, %v", content, err)
		}
	})
}

func TestNothingToDoWritesNothing(t *testing.T) {
	t.Parallel()
	tests := map[string][]journal.Change{
		"no changes":              nil,
		"content is there":        {replace("backend/a.json", "old a", "old a")},
		"file to delete is gone":  {{Path: "backend/none", Delete: true}},
		"somebody made it before": {replace("backend/a.json", "even older", "old a"), remove("backend/none", "x")},
	}
	for name, changes := range tests {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				setUp(t, fsys)
				if err := journal.Commit(afero.NewReadOnlyFs(fsys), changes); err != nil {
					t.Fatal(err)
				}
				if exists, _ := afero.Exists(fsys, journal.Folder); exists {
					t.Errorf("%s was made", journal.Folder)
				}
			})
		})
	}
}

func TestStaleFilesAreNamedWithTheirContent(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		before := tree(t, fsys)
		err := journal.Commit(fsys, []journal.Change{
			replace("backend/run.sh", "old run", "new run"),
			replace("backend/a.json", "as it was read", "new a"),
			createFile("bystander", "new"),
			replace("backend/none", "was there", "new"),
		})
		var stale *journal.StaleError
		if !errors.As(err, &stale) {
			t.Fatalf("got %v", err)
		}
		assertEqual(t, stale.Files, []journal.StaleFile{
			{Path: "backend/a.json", Planned: []byte("as it was read"), Existed: true, Found: []byte("old a"), Exists: true},
			{Path: "bystander", Found: []byte("keep"), Exists: true},
			{Path: "backend/none", Planned: []byte("was there"), Existed: true},
		})
		assertEqual(t, err.Error(), "backend/a.json changed, bystander appeared, backend/none vanished since the project was read; "+
			"nothing was written, read it again and repeat")
		assertEqual(t, tree(t, fsys), before)
		if exists, _ := afero.Exists(fsys, journal.Folder); exists {
			t.Errorf("%s was made", journal.Folder)
		}
	})
}

// editor changes a file just before the first rename into the project.
type editor struct {
	afero.Fs
	edit func()
}

func (e *editor) Rename(from, to string) error {
	err := e.Fs.Rename(from, to)
	if strings.HasSuffix(to, "journal.json") && e.edit != nil {
		e.edit()
		e.edit = nil
	}
	return err
}

func TestAnEditDuringTheCommitIsKeptAndReported(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		before := files(t, fsys)
		during := &editor{Fs: fsys, edit: func() { write(t, fsys, "backend/run.sh", "edited", 0o755) }}
		err := journal.Commit(during, mixedChanges())
		var stale *journal.StaleError
		if !errors.As(err, &stale) || len(stale.Files) != 1 || string(stale.Files[0].Found) != "edited" {
			t.Fatalf("got %v", err)
		}
		before["backend/run.sh"] = "-rwxr-xr-x edited"
		assertEqual(t, files(t, fsys), before)
		assertSwept(t, fsys)
	})
}

// failing is a filesystem with a rename that may fail.
type failing struct {
	afero.Fs
	rename func(from, to string) error
}

func (f failing) Rename(from, to string) error {
	if err := f.rename(from, to); err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return f.Fs.Rename(from, to)
}

func TestAFileThatCannotBeReplacedIsNamedAndNothingChanges(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		before := tree(t, fsys)
		readOnly := &failing{fsys, func(_, to string) error {
			if to == "backend/run.sh" {
				return syscall.EACCES
			}
			return nil
		}}
		err := journal.Commit(readOnly, mixedChanges())
		if !errors.Is(err, syscall.EACCES) {
			t.Fatalf("got %v", err)
		}
		assertEqual(t, err.Error(), "change backend/run.sh: rename .gatewright/journal/2.new backend/run.sh: permission denied; no file was changed")
		assertEqual(t, tree(t, fsys), before)
		assertSwept(t, fsys)
	})
}

func TestAFileThatCannotBeReplacedAcrossDevicesLeavesNothingBesideIt(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		before := tree(t, fsys)
		over := func(fsys afero.Fs) afero.Fs {
			return &failing{fsys, func(from, to string) error {
				switch {
				case strings.HasPrefix(from, journal.Folder) != strings.HasPrefix(to, journal.Folder):
					return syscall.EXDEV
				case to == "backend/run.sh":
					return syscall.EACCES
				}
				return nil
			}}
		}
		// The second time makes the calls that the third will make, of which one fails.
		var calls []string
		for range 2 {
			counted := &faultyFS{below: fsys}
			if err := journal.Commit(over(counted), mixedChanges()); !errors.Is(err, syscall.EACCES) {
				t.Errorf("got %v", err)
			}
			assertEqual(t, tree(t, fsys), before)
			assertSwept(t, fsys)
			calls = counted.calls
		}
		at := slices.IndexFunc(calls, func(call string) bool { return strings.HasSuffix(call, "sync backend/.run.sh.gatewright-tmp") })
		again := &faultyFS{below: fsys, trouble: trouble{failAt: at + 1}}
		if err := journal.Commit(over(again), mixedChanges()); !errors.Is(err, errFault) {
			t.Errorf("got %v", err)
		}
		assertEqual(t, tree(t, fsys), before)
		assertSwept(t, fsys)
	})
}

func TestFilesOnAnotherDeviceAreReplacedBesideThem(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		// A killed process left this file.
		write(t, fsys, "backend/.a.json.gatewright-tmp", "half", 0o600)
		across := &failing{fsys, func(from, to string) error {
			if strings.HasPrefix(from, journal.Folder) != strings.HasPrefix(to, journal.Folder) {
				return syscall.EXDEV
			}
			return nil
		}}
		if err := journal.Commit(across, mixedChanges()); err != nil {
			t.Fatal(err)
		}
		got := tree(t, fsys)
		assertEqual(t, got["backend/a.json"], "-rw-r--r-- a new a")
		assertEqual(t, got["backend/run.sh"], "-rwxr-xr-x new run")
		assertEqual(t, got["backend/new/deep/c.json"], "-rw-r--r-- new c")
		if _, left := got["backend/.a.json.gatewright-tmp"]; left {
			t.Error("the file beside the target stayed")
		}
		assertSwept(t, fsys)
	})
}

func TestAFolderOrAFileInTheWayIsNamed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change journal.Change
		want   string
	}{
		"folder":                {createFile("backend/gone", "x"), "backend/gone: is a folder, not a file"},
		"folder to delete":      {remove("backend", "x"), "backend: is a folder, not a file"},
		"file as a folder":      {createFile("backend/a.json/b", "x"), "backend/a.json/b: backend/a.json is a file, not a folder"},
		"file high up the path": {createFile("bystander/b/c", "x"), "bystander/b/c: bystander is a file, not a folder"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				setUp(t, fsys)
				err := journal.Commit(fsys, []journal.Change{createFile("new", "new"), test.change})
				if err == nil || err.Error() != test.want {
					t.Errorf("got %v", err)
				}
				if exists, _ := afero.Exists(fsys, "new"); exists {
					t.Error("the other file was made")
				}
			})
		})
	}
}
