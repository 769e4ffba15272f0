package journal_test

import (
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/project/journal"
)

// onEach runs a test on an empty project in memory and on one on disk.
func onEach(t *testing.T, test func(t *testing.T, fsys afero.Fs)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, disk.Memory()) })
	t.Run("disk", func(t *testing.T) { test(t, openDisk(t, t.TempDir())) })
}

func openDisk(t *testing.T, dir string) *disk.FS {
	t.Helper()
	fsys, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { fsys.Close() })
	return fsys
}

func write(t *testing.T, fsys afero.Fs, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := fsys.MkdirAll(path.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := afero.WriteFile(fsys, name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := fsys.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// tree returns every file (mode and content) and folder (with a final slash) of a project,
// except those in journal.Folder.
func tree(t *testing.T, fsys afero.Fs) map[string]string {
	t.Helper()
	return walk(t, fsys, ".")
}

// files returns tree without the folders.
func files(t *testing.T, fsys afero.Fs) map[string]string {
	t.Helper()
	found := tree(t, fsys)
	maps.DeleteFunc(found, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	return found
}

func walk(t *testing.T, fsys afero.Fs, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := afero.Walk(fsys, root, func(name string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == root:
		case name == journal.Folder && info.IsDir():
			return fs.SkipDir
		case info.Mode()&fs.ModeSymlink != 0:
			found[name] = "link"
		case info.IsDir():
			found[name+"/"] = ""
		default:
			content, err := afero.ReadFile(fsys, name)
			if err != nil {
				return err
			}
			found[name] = info.Mode().Perm().String() + " " + string(content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// assertSwept fails if journal.Folder has more than its .gitignore.
func assertSwept(t *testing.T, fsys afero.Fs) {
	t.Helper()
	if left := leftovers(t, fsys); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func leftovers(t *testing.T, fsys afero.Fs) []string {
	t.Helper()
	if ok, _ := afero.DirExists(fsys, journal.Folder); !ok {
		return nil
	}
	var left []string
	for name := range walk(t, fsys, journal.Folder) {
		if name != journal.Folder+"/.gitignore" {
			left = append(left, name)
		}
	}
	return left
}

// sameButForModes compares texts. On Windows it leaves out the mode of a file at their
// beginning, since it keeps only whether a file may be written.
var sameButForModes = cmp.Comparer(func(a, b string) bool {
	if runtime.GOOS == "windows" {
		a, b = mode.ReplaceAllString(a, ""), mode.ReplaceAllString(b, "")
	}
	return a == b
})

var mode = regexp.MustCompile("^-([r-][w-][x-]){3} ")

func assertEqual[T any](t *testing.T, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, sameButForModes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// replace returns a change of a file that was read as old.
func replace(name, old, content string) journal.Change {
	return journal.Change{Path: name, Existed: true, Old: []byte(old), New: []byte(content)}
}

func createFile(name, content string) journal.Change {
	return journal.Change{Path: name, New: []byte(content)}
}

func remove(name, old string) journal.Change {
	return journal.Change{Path: name, Existed: true, Old: []byte(old), Delete: true}
}
