package journal_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

// killedBefore makes a project in which a commit was killed before the first call that
// starts with the text.
func killedBefore(t *testing.T, fsys afero.Fs, call string) {
	t.Helper()
	setUp(t, fsys)
	for at, name := range countCalls(t, disk.Memory()) {
		if strings.HasPrefix(name, call) {
			_ = journal.Commit(&faultyFS{below: fsys, trouble: trouble{killAt: at + 1}}, mixedChanges())
			return
		}
	}
	t.Fatalf("no call %q in a commit", call)
}

func TestRecoverWithNothingToDoLooksTwiceAndWritesNothing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		setUp(t, fsys)
		counted := &faultyFS{below: afero.NewReadOnlyFs(fsys)}
		done, err := journal.Recover(counted)
		if err != nil {
			t.Fatal(err)
		}
		assertEqual(t, done, journal.Recovery{})
		assertEqual(t, counted.calls, []string{"stat .gatewright/journal", "stat .gatewright/lock"})
	})
}

func TestRecoverSaysWhatItDid(t *testing.T) {
	t.Parallel()
	all := []string{"backend/a.json", "backend/new/deep/c.json", "backend/run.sh", "backend/gone/deep/b.json"}
	tests := map[string]struct {
		killedBefore string
		want         journal.Recovery
	}{
		"only locked":               {"mkdir .gatewright/journal", journal.Recovery{}},
		"staged":                    {"rename .gatewright/journal/journal.json.tmp", journal.Recovery{Outcome: journal.Discarded}},
		"committed":                 {"rename .gatewright/journal/0.new", journal.Recovery{Outcome: journal.Completed, Paths: all}},
		"half replaced":             {"rename .gatewright/journal/2.new", journal.Recovery{Outcome: journal.Completed, Paths: all}},
		"all but swept":             {"rename .gatewright/journal/journal.json ", journal.Recovery{Outcome: journal.Completed, Paths: all}},
		"swept except for one file": {"remove .gatewright/journal/done.json", journal.Recovery{Outcome: journal.Completed, Paths: all}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				killedBefore(t, fsys, test.killedBefore)
				assertEqual(t, recoverNow(t, fsys), test.want)
			})
		})
	}
}

// TestAFileBelowWhatIsAFileNowIsGone has a person put a file in the place of the folder of a file that an
// interrupted commit deletes.
func TestAFileBelowWhatIsAFileNowIsGone(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		killedBefore(t, fsys, "remove backend/gone/deep/b.json")
		if err := fsys.RemoveAll("backend/gone"); err != nil {
			t.Fatal(err)
		}
		write(t, fsys, "backend/gone", "of a person", 0o644)
		done := recoverNow(t, fsys)
		assertEqual(t, done.Outcome, journal.Completed)
		assertEqual(t, tree(t, fsys)["backend/gone"], "-rw-r--r-- of a person")
	})
}

func TestACommitFirstRecoversAnInterruptedOne(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		killedBefore(t, fsys, "rename .gatewright/journal/2.new")
		if err := journal.Commit(fsys, []journal.Change{replace("backend/run.sh", "new run", "newer run")}); err != nil {
			t.Fatal(err)
		}
		got := files(t, fsys)
		assertEqual(t, got["backend/run.sh"], "-rwxr-xr-x newer run")
		assertEqual(t, got["backend/new/deep/c.json"], "-rw-r--r-- new c")
		assertSwept(t, fsys)
	})
}

func TestRecoverDoesNotTouchEditedFiles(t *testing.T) {
	t.Parallel()
	edits := map[string]func(t *testing.T, fsys afero.Fs){
		"edited":  func(t *testing.T, fsys afero.Fs) { write(t, fsys, "backend/run.sh", "by hand", 0o755) },
		"removed": func(t *testing.T, fsys afero.Fs) { _ = fsys.Remove("backend/run.sh") },
		"folder": func(t *testing.T, fsys afero.Fs) {
			_ = fsys.Remove("backend/run.sh")
			write(t, fsys, "backend/run.sh/x", "by hand", 0o644)
		},
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				killedBefore(t, fsys, "rename .gatewright/journal/1.new")
				edit(t, fsys)
				before := tree(t, fsys)

				_, err := journal.Recover(fsys)
				var edited *journal.EditedError
				if !errors.As(err, &edited) {
					t.Fatalf("got %v", err)
				}
				assertEqual(t, edited.Paths, []string{"backend/run.sh"})
				assertEqual(t, tree(t, fsys), before)
				err = journal.Commit(fsys, []journal.Change{createFile("new", "new")})
				if !errors.As(err, &edited) {
					t.Errorf("a commit after that: %v", err)
				}

				// The advice of the error helps.
				if err := fsys.RemoveAll(".gatewright/journal"); err != nil {
					t.Fatal(err)
				}
				if err := journal.Commit(fsys, []journal.Change{createFile("new", "new")}); err != nil {
					t.Error(err)
				}
				assertSwept(t, fsys)
			})
		})
	}
}

func TestADamagedJournalChangesNothing(t *testing.T) {
	t.Parallel()
	damages := map[string]func(t *testing.T, fsys afero.Fs){
		"no copy":   func(t *testing.T, fsys afero.Fs) { _ = fsys.Remove(".gatewright/journal/2.new") },
		"torn copy": func(t *testing.T, fsys afero.Fs) { write(t, fsys, ".gatewright/journal/2.new", "new", 0o755) },
		"torn list": func(t *testing.T, fsys afero.Fs) {
			write(t, fsys, ".gatewright/journal/journal.json", `{"version": 1, "fil`, 0o600)
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, fsys afero.Fs) {
				killedBefore(t, fsys, "rename .gatewright/journal/1.new")
				damage(t, fsys)
				before := tree(t, fsys)
				_, err := journal.Recover(fsys)
				if err == nil || !strings.Contains(err.Error(), "remove .gatewright/journal") {
					t.Errorf("got %v", err)
				}
				assertEqual(t, tree(t, fsys), before)
			})
		})
	}
}
