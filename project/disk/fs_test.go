package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"gatewright/project/disk"
)

// open returns an empty folder as a filesystem and where it is.
func open(t *testing.T) (*disk.FS, string) {
	t.Helper()
	dir := t.TempDir()
	fsys, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { fsys.Close() })
	return fsys, dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// permissions returns the mode of a file that was made with these bits: Windows keeps
// only whether a file may be written.
func permissions(mode fs.FileMode) fs.FileMode {
	switch {
	case runtime.GOOS != "windows":
		return mode
	case mode&0o200 != 0:
		return 0o666
	}
	return 0o444
}

func assertContent(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(name), got, err, want)
	}
}

func TestOpenNamesAFolderThatDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"none", "file"} {
		dir := filepath.Join(t.TempDir(), name)
		if name == "file" {
			must(t, os.WriteFile(dir, nil, 0o644))
		}
		_, err := disk.Open(dir)
		if err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("got %v", err)
		}
	}
}

func TestAFileIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	file, err := fsys.Create("a")
	must(t, err)
	if _, err := file.WriteString("hello world"); err != nil {
		t.Error(err)
	}
	if _, err := file.WriteAt([]byte("W"), 6); err != nil {
		t.Error(err)
	}
	must(t, file.Truncate(9))
	must(t, file.Sync())
	part := make([]byte, 3)
	if n, err := file.ReadAt(part, 6); n != 3 || string(part) != "Wor" {
		t.Errorf("%d bytes %q, %v", n, part, err)
	}
	if at, err := file.Seek(-2, io.SeekEnd); at != 7 {
		t.Errorf("at %d, %v", at, err)
	}
	if rest, err := io.ReadAll(file); string(rest) != "or" {
		t.Errorf("the rest is %q, %v", rest, err)
	}
	if _, err := file.Read(part); err != io.EOF {
		t.Errorf("at the end: %v, want io.EOF itself", err)
	}
	if info, err := file.Stat(); err != nil || info.Size() != 9 {
		t.Errorf("stat: %v, %v", info, err)
	}
	if file.Name() != "a" {
		t.Errorf("name %q", file.Name())
	}
	must(t, file.Close())
	assertContent(t, filepath.Join(dir, "a"), "hello Wor")
}

func TestOpenFileHeedsItsFlags(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	must(t, afero.WriteFile(fsys, "a", []byte("a"), 0o640))
	if _, err := fsys.OpenFile("a", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("exclusive: %v", err)
	}
	file, err := fsys.OpenFile("a", os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = file.Write([]byte("b"))
	must(t, err)
	must(t, file.Close())
	assertContent(t, filepath.Join(dir, "a"), "ab")

	// OpenFile ignores bits beyond the permissions, which os.Root refuses.
	file, err = fsys.OpenFile("b", os.O_CREATE|os.O_WRONLY, fs.ModeTemporary|0o600)
	must(t, err)
	must(t, file.Close())
	info, err := fsys.Stat("b")
	must(t, err)
	if want := permissions(0o600); info.Mode() != want {
		t.Errorf("mode %v, want %v", info.Mode(), want)
	}
}

func TestFoldersAreMadeListedAndSynced(t *testing.T) {
	t.Parallel()
	fsys, _ := open(t)
	must(t, fsys.Mkdir("a", 0o755))
	must(t, fsys.MkdirAll("a/b/c", 0o755))
	must(t, fsys.MkdirAll("a/b/c", 0o755))
	must(t, afero.WriteFile(fsys, "a/file", []byte("x"), 0o644))
	if err := fsys.Mkdir("a", 0o755); !errors.Is(err, fs.ErrExist) {
		t.Errorf("mkdir of what is there: %v", err)
	}
	if err := fsys.MkdirAll("a/file/d", 0o755); err == nil {
		t.Error("a folder was made in a file")
	}
	folder, err := fsys.Open("a")
	must(t, err)
	defer folder.Close()
	if err := folder.Sync(); err != nil && !(runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission)) {
		t.Error(err)
	}
	infos, err := folder.Readdir(-1)
	if err != nil || len(infos) != 2 {
		t.Errorf("readdir: %v, %v", infos, err)
	}

	var walked []string
	must(t, afero.Walk(fsys, "/", func(name string, _ fs.FileInfo, err error) error {
		walked = append(walked, filepath.ToSlash(name))
		return err
	}))
	if diff := cmp.Diff([]string{"/", "/a", "/a/b", "/a/b/c", "/a/file"}, walked); diff != "" {
		t.Error(diff)
	}
}

func TestRemoveAndRename(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	must(t, fsys.MkdirAll("full/x", 0o755))
	must(t, afero.WriteFile(fsys, "a", []byte("a"), 0o644))
	must(t, afero.WriteFile(fsys, "b", []byte("b"), 0o644))
	must(t, fsys.Rename("a", "b"))
	assertContent(t, filepath.Join(dir, "b"), "a")
	if err := fsys.Rename("a", "c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename of nothing: %v", err)
	}
	if err := fsys.Rename("b", "none/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("rename into nothing: %v", err)
	}
	if err := fsys.Remove("full"); err == nil {
		t.Error("a full folder was removed")
	}
	must(t, fsys.Remove("full/x"))
	must(t, fsys.MkdirAll("full/y/z", 0o755))
	must(t, fsys.RemoveAll("full"))
	must(t, fsys.RemoveAll("full"))
	if _, err := fsys.Stat("full"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after RemoveAll: %v", err)
	}
	if err := fsys.Remove("full"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("remove of nothing: %v", err)
	}
}

func TestTheProjectFolderItselfStays(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	must(t, afero.WriteFile(fsys, "a", []byte("a"), 0o644))
	for _, name := range []string{"", ".", "/"} {
		if err := fsys.RemoveAll(name); err == nil {
			t.Errorf("RemoveAll(%q) succeeds", name)
		}
		if err := fsys.Remove(name); err == nil {
			t.Errorf("Remove(%q) succeeds", name)
		}
		if info, err := fsys.Stat(name); err != nil || !info.IsDir() {
			t.Errorf("Stat(%q): %v, %v", name, info, err)
		}
	}
	assertContent(t, filepath.Join(dir, "a"), "a")
}

func TestModesAndTimesAreSet(t *testing.T) {
	t.Parallel()
	fsys, _ := open(t)
	must(t, afero.WriteFile(fsys, "a", nil, 0o644))
	then := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	must(t, fsys.Chtimes("a", then, then))
	must(t, fsys.Chmod("a", 0o400))
	if err := fsys.Chown("a", os.Getuid(), os.Getgid()); (err == nil) == (runtime.GOOS == "windows") {
		t.Errorf("chown: %v", err)
	}
	info, err := fsys.Stat("a")
	must(t, err)
	if info.Mode() != permissions(0o400) || !info.ModTime().Equal(then) {
		t.Errorf("%v %v", info.Mode(), info.ModTime())
	}
}

func TestErrorsNameTheFileInTheProject(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	must(t, fsys.Mkdir("folder", 0o755))
	must(t, afero.WriteFile(fsys, "file", nil, 0o644))
	folder, err := fsys.Open("/folder")
	must(t, err)
	_, reading := folder.Read(make([]byte, 1))
	must(t, folder.Close())
	_, opening := fsys.Open("no/file")
	_, stating := fsys.Stat("no")
	_, lstating, looking := fsys.LstatIfPossible("no")
	_, linking := fsys.ReadlinkIfPossible("no")
	if !lstating {
		t.Error("links are followed")
	}
	tests := map[string]error{
		"read folder: is a directory":                   reading,
		"close folder: file already closed":             folder.Close(),
		"open no/file: no such file or directory":       opening,
		"stat no: no such file or directory":            stating,
		"lstat no: no such file or directory":           looking,
		"readlink no: no such file or directory":        linking,
		"mkdir folder: file exists":                     fsys.Mkdir("/folder", 0o755),
		"mkdir file: not a directory":                   fsys.MkdirAll("file/x/y", 0o755),
		"remove no: no such file or directory":          fsys.Remove("no"),
		"rename no folder/x: no such file or directory": fsys.Rename("no", "/folder/x"),
		"chmod no: no such file or directory":           fsys.Chmod("no", 0o644),
		"chown no: no such file or directory":           fsys.Chown("no", 0, 0),
		"chtimes no: no such file or directory":         fsys.Chtimes("no", time.Unix(1, 0), time.Unix(1, 0)),
	}
	for want, err := range tests {
		if runtime.GOOS == "windows" { // it has words of its own for what is wrong
			want, _, _ = strings.Cut(want, ": ")
			if err != nil {
				_, words, _ := strings.Cut(err.Error(), ": ")
				want += ": " + words
			}
		}
		if err == nil || err.Error() != want || strings.Contains(err.Error(), dir) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAClosedFolderAnswersErrClosed(t *testing.T) {
	t.Parallel()
	fsys, _ := open(t)
	must(t, afero.WriteFile(fsys, "a", []byte("a"), 0o644))
	file, err := fsys.Open("a")
	must(t, err)
	defer file.Close()
	must(t, fsys.Close())
	if _, err := fsys.Stat("a"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("stat: %v", err)
	}
	if content, err := io.ReadAll(file); string(content) != "a" {
		t.Errorf("the file opened before: %q, %v", content, err)
	}
}

func TestAFileThatSomebodyReadsIsReplacedAndRemoved(t *testing.T) {
	t.Parallel()
	fsys, dir := open(t)
	reader := func() {
		file, err := os.Open(filepath.Join(dir, "a"))
		must(t, err)
		time.AfterFunc(20*time.Millisecond, func() { _ = file.Close() })
	}
	must(t, afero.WriteFile(fsys, "a", []byte("a"), 0o644))
	must(t, afero.WriteFile(fsys, "b", []byte("b"), 0o644))
	reader()
	must(t, fsys.Rename("b", "a"))
	assertContent(t, filepath.Join(dir, "a"), "b")
	reader()
	must(t, fsys.Remove("a"))
	must(t, afero.WriteFile(fsys, "a", nil, 0o644))
	reader()
	must(t, fsys.RemoveAll("a"))
}

func TestNamesInMemoryHaveSlashes(t *testing.T) {
	t.Parallel()
	onDisk, _ := open(t)
	for kind, fsys := range map[string]afero.Fs{"memory": disk.Memory(), "disk": onDisk} {
		must(t, fsys.MkdirAll("a/b", 0o755))
		must(t, afero.WriteFile(fsys, "a/b/c", []byte("c"), 0o644))
		must(t, fsys.Chmod("a/b/c", 0o444))
		if info, err := fsys.Stat("a/b/c"); err != nil || info.Mode() != 0o444 {
			t.Errorf("%s: %v, %v", kind, info, err)
		}
		must(t, fsys.Chmod("a/b/c", 0o644))
		must(t, fsys.Rename("a/b/c", "a/d"))
		if content, err := afero.ReadFile(fsys, "a/d"); err != nil || string(content) != "c" {
			t.Errorf("%s: %q, %v", kind, content, err)
		}
	}
}
