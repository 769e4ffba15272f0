package disk_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"gatewright/project/disk"
	"gatewright/test/symlink"
)

// fenced returns a project folder with links to a secret in a folder beside it.
func fenced(t *testing.T) (fsys *disk.FS, secret string) {
	t.Helper()
	parent := t.TempDir()
	outside, inside := filepath.Join(parent, "outside"), filepath.Join(parent, "project")
	secret = filepath.Join(outside, "secret")
	must(t, os.Mkdir(outside, 0o755))
	must(t, os.WriteFile(secret, []byte("secret"), 0o644))
	must(t, os.MkdirAll(filepath.Join(inside, "sub"), 0o755))
	must(t, os.WriteFile(filepath.Join(inside, "sub", "file"), []byte("file"), 0o644))
	for name, text := range map[string]string{
		"absolute": secret, "relative": "../outside/secret", "folder": "../outside",
		"sub/up": "../../outside/secret", "hop": "relative", "missing": "../outside/new",
		"ok": "sub/file", "oksub": "sub", "sub/okup": "../sub/file",
	} {
		symlink.Make(t, text, filepath.Join(inside, name))
	}
	fsys, err := disk.Open(inside)
	must(t, err)
	t.Cleanup(func() { fsys.Close() })
	return fsys, secret
}

// calls returns all calls that follow a link as the last element of a name.
func calls(fsys *disk.FS, name string) map[string]error {
	_, opened := fsys.Open(name)
	_, created := fsys.Create(name)
	_, written := fsys.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	_, stated := fsys.Stat(name)
	return map[string]error{
		"open": opened, "create": created, "openfile": written, "stat": stated,
		"chmod":   fsys.Chmod(name, 0o777),
		"chtimes": fsys.Chtimes(name, time.Unix(1, 0), time.Unix(1, 0)),
	}
}

// callsInside returns all calls for a name whose folder is outside.
func callsInside(fsys *disk.FS, name string) map[string]error {
	all := calls(fsys, name)
	_, _, all["lstat"] = fsys.LstatIfPossible(name)
	_, all["readlink"] = fsys.ReadlinkIfPossible(name)
	all["mkdir"] = fsys.Mkdir(name+"x", 0o755)
	all["mkdirall"] = fsys.MkdirAll(name+"x/y", 0o755)
	all["remove"] = fsys.Remove(name)
	all["removeall"] = fsys.RemoveAll(name)
	all["rename from"] = fsys.Rename(name, "stolen")
	all["rename to"] = fsys.Rename("sub/file", name)
	all["chown"] = fsys.Chown(name, os.Getuid(), os.Getgid())
	return all
}

func TestNothingLeadsOutOfTheFolder(t *testing.T) {
	t.Parallel()
	const byPath, byLink = "the path leads out of the project folder", "the link leads out of the project folder"
	tests := []struct {
		name  string
		calls func(*disk.FS, string) map[string]error
		want  string
	}{
		{"../outside/secret", callsInside, byPath},
		{"sub/../../outside/secret", callsInside, byPath},
		{"/../outside/secret", callsInside, byPath},
		{"folder/secret", callsInside, byLink},
		{"folder/../outside/secret", callsInside, byLink},
		{"absolute", calls, byLink},
		{"relative", calls, byLink},
		{"sub/up", calls, byLink},
		{"oksub/up", calls, byLink},
		{"hop", calls, byLink},
		{"missing", calls, byLink},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			fsys, secret := fenced(t)
			for call, err := range test.calls(fsys, test.name) {
				switch {
				case !errors.Is(err, disk.ErrOutside):
					t.Errorf("%s: %v", call, err)
				case !strings.HasSuffix(err.Error(), ": "+test.want):
					t.Errorf("%s: %v, want %s", call, err, test.want)
				case strings.Contains(err.Error(), filepath.Dir(filepath.Dir(secret))), strings.Contains(err.Error(), "\n"):
					t.Errorf("%s: %q", call, err)
				}
			}
			assertContent(t, secret, "secret")
			entries, err := os.ReadDir(filepath.Dir(secret))
			if err != nil || len(entries) != 1 {
				t.Errorf("outside: %v, %v", entries, err)
			}
		})
	}
}

// An absolute name is relative to the project folder.
func TestALeadingSlashMeansTheFolder(t *testing.T) {
	t.Parallel()
	fsys, secret := fenced(t)
	if content, err := afero.ReadFile(fsys, "//sub/file"); string(content) != "file" {
		t.Errorf("%q, %v", content, err)
	}
	if runtime.GOOS == "windows" {
		return // an absolute name has a drive letter there, which leads out
	}
	if _, err := fsys.Stat(secret); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the absolute name of a file outside: %v", err)
	}
}

func TestLinksThatStayInsideWork(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ok", "oksub/file", "sub/okup", "oksub/okup", "sub/../ok"} {
		t.Run(name, func(t *testing.T) {
			fsys, _ := fenced(t)
			must(t, afero.WriteFile(fsys, name, []byte("written"), 0o644))
			if content, err := afero.ReadFile(fsys, "sub/file"); string(content) != "written" {
				t.Errorf("%q, %v", content, err)
			}
		})
	}
}

func TestALinkIsNotItsTarget(t *testing.T) {
	t.Parallel()
	fsys, secret := fenced(t)
	info, tells, err := fsys.LstatIfPossible("relative")
	if err != nil || !tells || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("%v, %v, %v", info, tells, err)
	}
	if text, err := fsys.ReadlinkIfPossible("relative"); text != "../outside/secret" {
		t.Errorf("%q, %v", text, err)
	}
	must(t, fsys.Rename("relative", "moved"))
	must(t, fsys.Remove("moved"))
	must(t, fsys.RemoveAll("folder"))
	must(t, fsys.Rename("sub/file", "absolute"))
	assertContent(t, secret, "secret")
}
