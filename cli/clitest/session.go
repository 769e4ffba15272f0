// Package clitest runs commands for tests, in the folder of a project.
package clitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/cli"
	"gatewright/cli/command"
)

// Times are printed in one time zone on every machine that runs the tests.
func init() { time.Local = time.UTC }

// Session runs commands in the folder of a project.
type Session struct {
	T   *testing.T
	Dir string
}

// New returns a session in an empty folder.
func New(t *testing.T) *Session {
	t.Helper()
	t.Setenv("GATEWRIGHT_STATE", t.TempDir())
	return &Session{T: t, Dir: t.TempDir()}
}

// Run runs a command that must end with the exit code, and returns its output and errors.
func (s *Session) Run(code int, args ...string) (out string) {
	s.T.Helper()
	var stdout, stderr bytes.Buffer
	got := cli.Run(args, command.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Dir: s.Dir})
	if got != code {
		s.T.Fatalf("%v exits %d, want %d: %s%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String()
}

// Read returns the content of a file of the project.
func (s *Session) Read(name string) string {
	s.T.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil {
		s.T.Fatal(err)
	}
	return string(data)
}

// At returns the value at a place in a JSON file of the project.
func (s *Session) At(file string, place []string) any {
	s.T.Helper()
	var value any
	if err := json.Unmarshal([]byte(s.Read(file)), &value); err != nil {
		s.T.Fatal(err)
	}
	for _, name := range place {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// Again runs a command a second time, which may fail, and returns the Tree after it.
func (s *Session) Again(args []string) string {
	s.T.Helper()
	var out bytes.Buffer
	cli.Run(args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Dir: s.Dir})
	return s.Tree()
}

// Tree returns the names and contents of all files in the session's folder.
func (s *Session) Tree() string {
	s.T.Helper()
	var b strings.Builder
	fsys := os.DirFS(s.Dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		fmt.Fprintf(&b, "%s: %s\n", name, data)
		return err
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return b.String()
}

// Output runs a command, and returns its standard output and its exit code.
func (s *Session) Output(args ...string) (string, int) {
	s.T.Helper()
	var out bytes.Buffer
	code := cli.Run(args, command.Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard, Dir: s.Dir})
	return out.String(), code
}

// Put writes a file of the project.
func (s *Session) Put(name, text string) {
	s.T.Helper()
	name = filepath.Join(s.Dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.T.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.T.Fatal(err)
	}
}

// Copy returns a session in a copy of the project, including the state of the sandbox.
func (s *Session) Copy() *Session {
	s.T.Helper()
	next := &Session{T: s.T, Dir: filepath.Join(s.T.TempDir(), "copy")}
	if err := os.CopyFS(next.Dir, os.DirFS(s.Dir)); err != nil {
		s.T.Fatal(err)
	}
	// CopyFS does not keep the permissions, and the sandbox wants its state private.
	for _, name := range []string{".gatewright/sandbox", ".gatewright/sandbox/data"} {
		if _, err := os.Stat(filepath.Join(next.Dir, name)); err == nil {
			if err := os.Chmod(filepath.Join(next.Dir, name), 0o700); err != nil {
				s.T.Fatal(err)
			}
		}
	}
	return next
}
