package sessions

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"gatewright/internal/file/lock"
)

func oneLine(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || len(text) > 600 || strings.ContainsAny(text, "\x00\x1b\r") {
		ts.Fatalf("%s is not one plain line: %q", args[0], text)
	}
}

func plain(ts *testscript.TestScript, _ bool, args []string) {
	if text := ts.ReadFile(args[0]); strings.ContainsAny(text, "\x1b\u009b\u202e") {
		ts.Fatalf("%s has control characters: %q", args[0], text)
	}
}

func private(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Lstat(ts.MkAbs(args[0]))
	ts.Check(err)
	if info.Mode() != 0o600 {
		ts.Fatalf("%s has the mode %v", args[0], info.Mode())
	}
}

func isLink(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Lstat(ts.MkAbs(args[0]))
	ts.Check(err)
	if info.Mode()&fs.ModeSymlink == 0 {
		ts.Fatalf("%s is no link: its mode is %v", args[0], info.Mode())
	}
}

func grow(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := bytes.Repeat([]byte(args[2]), size/len(args[2]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

func appendLine(ts *testscript.TestScript, _ bool, args []string) {
	file, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	ts.Check(err)
	_, err = fmt.Fprintln(file, args[1])
	ts.Check(err)
	ts.Check(file.Close())
}

// replace replaces a pattern, which must be there.
func replace(ts *testscript.TestScript, _ bool, args []string) {
	text, pattern := ts.ReadFile(args[0]), regexp.MustCompile(args[1])
	if !pattern.MatchString(text) {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(pattern.ReplaceAllLiteralString(text, args[2])), 0o644))
}

func copyDir(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

func list(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	// Without this an empty folder would leave the output of the command before it.
	out := ts.Stdout()
	for _, entry := range entries {
		fmt.Fprintln(out, entry.Name())
	}
}

func tree(ts *testscript.TestScript, _ bool, args []string) {
	for _, folder := range args {
		walk(ts, folder, func(name string, content []byte) {
			fmt.Fprintf(ts.Stdout(), "%s %x\n", name, sha256.Sum256(content))
		})
	}
}

// walk calls visit with every folder, which has no content, and every file in a folder. A
// folder that is missing has none.
func walk(ts *testscript.TestScript, folder string, visit func(name string, content []byte)) {
	root := ts.MkAbs(folder)
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		return
	}
	ts.Check(filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			visit(name, nil)
			return err
		}
		content, err := os.ReadFile(name)
		visit(name, content)
		return err
	}))
}

func search(ts *testscript.TestScript, neg bool, args []string) {
	pattern, found, files := regexp.MustCompile(args[0]), "", 0
	walk(ts, args[1], func(name string, content []byte) {
		if content != nil {
			files++
		}
		if pattern.Match(content) {
			found = name
		}
	})
	switch {
	case files == 0:
		ts.Fatalf("there is no file in %s", args[1])
	case neg && found != "":
		ts.Fatalf("%s has %s", found, args[0])
	case !neg && found == "":
		ts.Fatalf("no file in %s has %s", args[1], args[0])
	}
}

func setenv(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

func oddFolder(ts *testscript.TestScript, _ bool, args []string) {
	dir := filepath.Join(ts.MkAbs(args[0]), "x\n\u009b\u202ey")
	ts.Check(os.MkdirAll(dir, 0o755))
	text := `{"paths": [{"name": "/a", "lambdaFunction": "a", "privacy": {"open": true}}]}`
	ts.Check(os.WriteFile(filepath.Join(dir, "api-params.json"), []byte(text), 0o644))
}

// locks has the locks that scripts hold, by the paths of their files.
var locks sync.Map

func lockFile(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	taken, err := lock.TakePath(name)
	ts.Check(err)
	locks.Store(name, taken)
	ts.Defer(func() { _ = taken.Release() })
}

func unlockFile(ts *testscript.TestScript, _ bool, args []string) {
	taken, _ := locks.Load(ts.MkAbs(args[0]))
	ts.Check(taken.(*lock.Lock).Release())
}
