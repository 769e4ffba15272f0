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

	"github.com/google/go-cmp/cmp"

	"gatewright/cli"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/deploy/stack"
)

// Session runs commands in the folder of a project. They have an environment of their own, and
// times are in UTC on every machine that runs the tests.
type Session struct {
	T   *testing.T
	Dir string
	// State is the user's state folder; without one, the first command gets a new one.
	State string
	// In is what the next command reads.
	In string
	// Environ are more variables of the environment.
	Environ []string
}

// system are the variables without which programs find nothing. The others of this machine do not
// reach commands: they could change what those do.
var system = []string{
	"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE",
	"APPDATA", "LOCALAPPDATA",
}

// Streams are the streams of a command in a folder that reads nothing and prints nothing, with an
// environment and a time zone that are the same on every machine.
func Streams(dir, state string, environ ...string) command.Streams {
	streams := command.Streams{
		In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Dir: dir, Zone: time.UTC,
		AWS: aws.Provider{Pace: stack.Pace{Poll: time.Nanosecond}},
	}
	for _, name := range system {
		if value, set := os.LookupEnv(name); set {
			streams.Environ = append(streams.Environ, name+"="+value)
		}
	}
	streams.Environ = append(append(streams.Environ, "GATEWRIGHT_STATE="+state), environ...)
	return streams
}

// New returns a session in an empty folder.
func New(t *testing.T) *Session {
	t.Helper()
	return &Session{T: t, Dir: t.TempDir(), State: t.TempDir()}
}

// exit runs a command, and returns its exit code.
func (s *Session) exit(out, errs io.Writer, args []string) int {
	if s.State == "" {
		s.State = s.T.TempDir()
	}
	streams := Streams(s.Dir, s.State, s.Environ...)
	streams.In, streams.Out, streams.Err = strings.NewReader(s.In), out, errs
	s.In = ""
	return cli.Run(args, streams)
}

// Run runs a command that must end with the exit code, and returns its output and errors.
func (s *Session) Run(code int, args ...string) (out string) {
	s.T.Helper()
	var stdout, stderr bytes.Buffer
	got := s.exit(&stdout, &stderr, args)
	if got != code {
		s.T.Fatalf("%v exits %d, want %d: %s%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String() + stderr.String()
}

// Told runs the commands of a story, and compares all that they print with it. A line that begins
// with $ has the exit code and a command; what it prints follows, as same gives it without what
// differs from run to run. Nobody compares what a command in a line with % prints, but it has no null.
func (s *Session) Told(story string, same func(printed string) string) {
	s.T.Helper()
	var b strings.Builder
	for line := range strings.Lines(story) {
		if command, ok := strings.CutPrefix(line, "% "); ok {
			if printed := s.Run(0, strings.Fields(command)...); strings.Contains(printed, ": null") {
				s.T.Errorf("%s prints null:\n%s", command, printed)
			}
			b.WriteString(line)
		}
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			var code int
			_, _ = fmt.Sscan(command, &code)
			b.WriteString(line + same(s.Run(code, strings.Fields(command)[1:]...)))
		}
	}
	if diff := cmp.Diff(strings.Split(story, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		s.T.Errorf("%s\n%s", diff, b.String())
	}
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
	s.exit(&out, &out, args)
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
	code := s.exit(&out, io.Discard, args)
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
	next := &Session{T: s.T, Dir: filepath.Join(s.T.TempDir(), "copy"), State: s.State, Environ: s.Environ}
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
