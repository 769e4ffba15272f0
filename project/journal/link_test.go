package journal_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gatewright/project/journal"
	"gatewright/test/symlink"
)

// linked returns a project on disk with files and links, by name and target.
func linked(t *testing.T, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	setUp(t, openDisk(t, dir))
	for name, text := range links {
		symlink.Make(t, text, filepath.Join(dir, name))
	}
	return dir
}

func TestAWriteGoesThroughALinkAndKeepsIt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		links          map[string]string
		change         journal.Change
		target, wanted string
	}{
		"to a file": {
			map[string]string{"link": "backend/a.json"},
			replace("link", "old a", "new"), "backend/a.json", "new",
		},
		"to a link": {
			map[string]string{"link": "backend/other", "backend/other": "run.sh"},
			replace("link", "old run", "new"), "backend/run.sh", "new",
		},
		"to a file that is not there yet": {
			map[string]string{"link": "backend/fresh/x.json"},
			createFile("link", "new"), "backend/fresh/x.json", "new",
		},
		"upwards from a linked folder": {
			map[string]string{"dir": "backend/gone", "backend/gone/up": "../a.json"},
			replace("dir/up", "old a", "new"), "backend/a.json", "new",
		},
		"over as many as are followed": {
			map[string]string{"link": "7", "7": "6", "6": "5", "5": "4", "4": "3", "3": "2", "2": "backend/link", "backend/link": "a.json"},
			replace("link", "old a", "new"), "backend/a.json", "new",
		},
		"to a folder": {
			map[string]string{"dir": "backend"},
			createFile("dir/x/y.json", "new"), "backend/x/y.json", "new",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := linked(t, test.links)
			fsys := openDisk(t, dir)
			if err := journal.Commit(fsys, []journal.Change{test.change}); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(filepath.Join(dir, test.target))
			if err != nil || string(content) != test.wanted {
				t.Errorf("%s holds %q, %v", test.target, content, err)
			}
			for name, text := range test.links {
				if now, err := os.Readlink(filepath.Join(dir, name)); now != text {
					t.Errorf("link %s is %q, %v", name, now, err)
				}
			}
			assertSwept(t, fsys)
		})
	}
}

func TestLinksThatACommitDoesNotFollowAreNamed(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		text, want string
		change     journal.Change
	}{
		"absolute":       {outside, "link: the link leads out of the project folder", replace("link", "outside", "x")},
		"upwards":        {"../x", "link: the link leads out of the project folder", createFile("link", "x")},
		"folder upwards": {"..", "link/x: the link leads out of the project folder", createFile("link/x", "x")},
		"to itself":      {"link", "link: more than 8 links to follow", createFile("link", "x")},
		"to our folder":  {".gatewright/lock", `link: follow the link: path ".gatewright/lock": .gatewright is for gatewright's own files`, createFile("link", "x")},
		"to the project": {".", `link: follow the link: path ".": must be relative`, createFile("link", "x")},
		"nowhere":        {"none/../backend/a.json", "link: the link leads nowhere, none is missing", createFile("link", "x")},
		"one too many":   {"9", "link: more than 8 links to follow", replace("link", "old a", "x")},
		"deleted far":    {"by/a.json", "link: is a link, which is not deleted", remove("link", "old a")},
		"deleted":        {"backend/a.json", "link: is a link, which is not deleted", remove("link", "old a")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			links := map[string]string{"link": test.text, "by": "backend", "2": "backend/a.json"}
			for n := 3; n < 10; n++ {
				links[strconv.Itoa(n)] = strconv.Itoa(n - 1)
			}
			dir := linked(t, links)
			err := journal.Commit(openDisk(t, dir), []journal.Change{createFile("new", "new"), test.change})
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v", err)
			}
			if content, _ := os.ReadFile(outside); string(content) != "outside" {
				t.Errorf("the file outside is %q now", content)
			}
			if _, err := os.Lstat(filepath.Join(dir, "new")); err == nil {
				t.Error("the other file was made")
			}
		})
	}
}

func TestOneFileUnderTwoNamesIsRefused(t *testing.T) {
	t.Parallel()
	fsys := openDisk(t, linked(t, map[string]string{"link": "backend/a.json"}))
	before := files(t, fsys)
	err := journal.Commit(fsys, []journal.Change{replace("link", "old a", "x"), replace("backend/a.json", "old a", "y")})
	if err == nil || err.Error() != `path "backend/a.json": changed twice in one commit` {
		t.Errorf("got %v", err)
	}
	assertEqual(t, files(t, fsys), before)
	assertSwept(t, fsys)
}

func TestAFolderThatIsALinkIsNotUsed(t *testing.T) {
	t.Parallel()
	dir := linked(t, map[string]string{journal.Folder: "backend"})
	fsys := openDisk(t, dir)
	write(t, fsys, "backend/journal/mine", "mine", 0o644)
	before := files(t, fsys)
	if err := journal.Commit(fsys, []journal.Change{createFile("new", "new")}); err == nil {
		t.Error("committed")
	}
	if _, err := journal.Recover(fsys); err == nil {
		t.Error("recovered")
	}
	assertEqual(t, files(t, fsys), before)
}
