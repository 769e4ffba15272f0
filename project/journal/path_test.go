package journal_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

func TestHostilePathsAreRefused(t *testing.T) {
	t.Parallel()
	paths := []string{
		"", ".", "..", "/", "/etc/x", "../x", "a/../../b", "a/../b", "./a", "a//b", "a/", "a/./b",
		`C:\x`, "C:x", "c:/x", `a\b`, `..\x`, "a\x00b", "a\nb", "a\x1b[2Jb", "a\x7fb", "a\u0085b", "a\xffb",
		".gatewright", ".gatewright/x", ".gatewright/schemas", ".gatewright/schemas/x", ".gatewright/schemas/x/y.json", ".Gatewright/schemas/x.json", ".gatewright/journal/journal.json", ".GateWright/x",
		".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", ".git",
	}
	for _, name := range paths {
		t.Run(name, func(t *testing.T) {
			fsys := disk.Memory()
			for _, change := range []journal.Change{createFile(name, "x"), remove(name, "x")} {
				err := journal.Commit(fsys, []journal.Change{createFile("ok", "ok"), change})
				if err == nil || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
					t.Errorf("got %q", err)
				}
			}
			assertEqual(t, tree(t, fsys), map[string]string{})
		})
	}
}

func TestPathsThatOnlyLookHostileAreWritten(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"..a", "a..b/c..", ".gatewrighter/x", ".gitignore", "ab:c", "ä/ö.json", "a b", "{proxy+}"} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(name, ":") {
				t.Skip("no file of Windows has a colon in its name")
			}
			fsys := disk.Memory()
			if err := journal.Commit(fsys, []journal.Change{createFile(name, "x")}); err != nil {
				t.Fatal(err)
			}
			assertEqual(t, files(t, fsys), map[string]string{name: "-rw-r--r-- x"})
		})
	}
}

func TestTheStateOfAProjectIsCommittedWithItsFiles(t *testing.T) {
	t.Parallel()
	fsys := disk.Memory()
	changes := []journal.Change{createFile("a", "x")}
	want := map[string]string{"a": "-rw-r--r-- x"}
	for _, name := range append(slices.Clone(journal.State), journal.SchemaFolder+"/x.json") {
		changes = append(changes, createFile(name, "y"))
	}
	if err := journal.Commit(fsys, changes); err != nil {
		t.Fatal(err)
	}
	assertEqual(t, files(t, fsys), want)
	for _, name := range append(slices.Clone(journal.State), journal.SchemaFolder+"/x.json") {
		if data, err := afero.ReadFile(fsys, name); err != nil || string(data) != "y" {
			t.Errorf("%s is %q: %v", name, data, err)
		}
	}
}

func TestANewFileGetsItsMode(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, fsys afero.Fs) {
		run, shared := createFile("run.sh", "x"), createFile("shared", "y")
		// No umask leaves the second one.
		run.Mode, shared.Mode = 0o755, 0o666
		if err := journal.Commit(fsys, []journal.Change{run, shared, createFile("plain", "z")}); err != nil {
			t.Fatal(err)
		}
		assertEqual(t, files(t, fsys), map[string]string{"run.sh": "-rwxr-xr-x x", "shared": "-rw-rw-rw- y", "plain": "-rw-r--r-- z"})
	})
}

func TestOnePathTwiceIsRefused(t *testing.T) {
	t.Parallel()
	for _, second := range []string{"a/b", "a/b/c", "a"} {
		err := journal.Commit(disk.Memory(), []journal.Change{createFile("a/b", "x"), createFile(second, "y")})
		if err == nil {
			t.Errorf("a/b and %s are accepted in one commit", second)
		}
	}
}
