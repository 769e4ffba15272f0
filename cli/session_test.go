package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatewright/cli"
)

// session runs commands in the folder of a project.
type session struct {
	t   *testing.T
	dir string
}

// newSession is a session in an empty folder.
func newSession(t *testing.T) *session {
	t.Helper()
	t.Setenv("GATEWRIGHT_STATE", t.TempDir())
	return &session{t: t, dir: t.TempDir()}
}

// run carries out a command that must end with an exit code, and returns what it
// printed.
func (s *session) run(code int, args ...string) (out string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	got := cli.Run(args, cli.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Dir: s.dir})
	if got != code {
		s.t.Fatalf("%v exits %d, want %d: %s%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String()
}

// read is what a file of the project holds.
func (s *session) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// at is the value at a place in a file of the project.
func (s *session) at(file string, place []string) any {
	s.t.Helper()
	var at any
	if err := json.Unmarshal([]byte(s.read(file)), &at); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range place {
		members, _ := at.(map[string]any)
		at = members[name]
	}
	return at
}

// again carries out a command for the second time, which may be refused when it
// takes something away, and returns what is there then.
func (s *session) again(args []string) string {
	s.t.Helper()
	var out bytes.Buffer
	cli.Run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Dir: s.dir})
	return s.tree()
}

// tree is every file of the session's folder, with what is in it.
func (s *session) tree() string {
	s.t.Helper()
	var b strings.Builder
	fsys := os.DirFS(s.dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		fmt.Fprintf(&b, "%s: %s\n", name, data)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}
