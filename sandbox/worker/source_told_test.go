package worker

import (
	"path/filepath"
	"runtime"
	"testing"

	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

func TestARefusedWriteIsToldWithTheFileOfTheSource(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("not tested: the paths are those of other systems")
	}
	const (
		own   = ", which is read-only, as in the cloud: write into /tmp instead"
		maybe = "if it wanted to write into its own source: that is read-only, as in the cloud; write into /tmp instead"
	)
	newSource := func() *ownSource {
		return &ownSource{pool: &pool{runner: new(Runner)}, told: new(told), folders: []string{"/p/f", "/layer"}}
	}
	for line, want := range map[string]string{
		"OSError: [Errno 30] Read-only file system: '/p/f/src/a.txt'":    "it writes into its own source (src/a.txt)" + own,
		"EROFS: read-only file system, open '/p/f/a b'":                  `it writes into its own source ("a b")` + own,
		`open "/layer/x": read-only file system`:                         "it writes into its own source (x)" + own,
		"cp: cannot create /p/f/y: Read-only file system":                "it writes into its own source (y)" + own,
		"Read-only file system /p/f/z":                                   "it writes into its own source (z)" + own,
		"sqlite3.OperationalError: attempt to write a readonly database": maybe,
		"unable to open database file":                                   maybe,
		"/p/ff/x: Read-only file system":                                 maybe,
		"/p/f/x is well":                                                 "",
	} {
		s := newSource()
		if got := s.refusedIn(line); got != want {
			t.Errorf("%s is told as %q, want %q", line, got, want)
		}
		if got := s.refusedIn("Read-only file system"); (got == "") != (want != "") {
			t.Errorf("after %s it is told %q", line, got)
		}
	}
	s := newSource()
	if got := s.written(filepath.Join("/elsewhere", "a\nb")); got != `it writes into its own source ("/elsewhere/a\nb")`+own {
		t.Errorf("another file is told as %q", got)
	}
	if got := s.written("/p/f/again"); got != "" {
		t.Errorf("it is told again: %q", got)
	}
	var none *ownSource
	if none.written("/p/f/x") != "" || none.refusedIn("Read-only file system") != "" {
		t.Error("a source that is not known is told of")
	}
}

func TestTheFoldersThatAFunctionMustNotWriteInto(t *testing.T) {
	t.Parallel()
	folder, layer, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	s := &function.Spec{Folder: folder, Layers: []string{layer}}
	for dir, want := range map[string][]string{
		"":                           {folder, layer},
		filepath.Join(folder, "src"): {folder, layer},
		folder:                       {folder, layer},
		elsewhere:                    {folder, layer, elsewhere},
		layer:                        {folder, layer},
	} {
		got := ownFolders(s, prepare.Prepared{Dir: dir})
		if len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("in %q they are %q, want %q", dir, got, want)
		}
	}
}
