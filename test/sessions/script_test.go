package sessions

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gatewright/cli"
	"gatewright/lock"
)

var update = flag.Bool("update", false, "write the output of the sessions into their scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gatewright": cli.Main})
}

// TestSessions runs the program as its users do: each script is a session. The commands of
// the scripts beside those of testscript are:
//
//   - exits CODE ARGS... runs the program, which must end with the exit code
//   - unprivileged CODE ARGS... is the same as a user who is not root
//   - oneline FILE: the file must have a single line
//   - plain FILE: the file must have no control characters
//   - grow NAME SIZE TEXT makes a file of repeated text
//   - copydir FROM TO copies a folder
//   - oddfolder DIR makes an API in the older format, in a folder with control characters in its name
//   - lock FILE locks a file as another process would, until unlock FILE
func TestSessions(t *testing.T) {
	real, err := filepath.Abs("../../../shared/real")
	if err != nil {
		t.Fatal(err)
	}
	samples, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("REAL", real)
			// What the sessions print has times in this zone.
			env.Setenv("TZ", "UTC")
			// A program with the race detector waits a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "real":
				_, err := os.Stat(real)
				return err == nil, nil
			case "unprivileged":
				return canBeUnprivileged()
			}
			return false, fmt.Errorf("the condition %s is not known", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":        exits,
			"unprivileged": unprivileged,
			"oneline":      oneLine,
			"grow":         grow,
			"copydir":      copyDir,
			"oddfolder":    oddFolder,
			"plain":        plain,
			"lock":         lockFile,
			"unlock":       unlockFile,
		},
	})
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

func exits(ts *testscript.TestScript, _ bool, args []string) {
	expect(ts, args, "gatewright")
}

// setpriv is the program with which tests that run as root act as another user, because root
// may write everywhere.
const setpriv = "setpriv"

// canBeUnprivileged reports whether permissions can be tested on this machine. On the build
// server it is an error if they cannot.
func canBeUnprivileged() (bool, error) {
	if os.Geteuid() != 0 {
		return true, nil
	}
	_, err := exec.LookPath(setpriv)
	if err != nil && os.Getenv("CI") == "true" {
		return false, fmt.Errorf("permissions cannot be tested as root: %w; install it", err)
	}
	return err == nil, nil
}

// unprivileged is exits as a user who is not root.
func unprivileged(ts *testscript.TestScript, _ bool, args []string) {
	command := []string{"gatewright"}
	if os.Geteuid() == 0 {
		for dir := ts.MkAbs("."); dir != filepath.Dir(dir) && dir != os.TempDir(); dir = filepath.Dir(dir) {
			info, err := os.Stat(dir)
			ts.Check(err)
			ts.Check(os.Chmod(dir, info.Mode().Perm()|0o055))
		}
		command = []string{setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "gatewright"}
	}
	expect(ts, args, command...)
}

func expect(ts *testscript.TestScript, args []string, command ...string) {
	if len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGS...")
	}
	err := ts.Exec(command[0], append(command[1:], args[1:]...)...)
	code := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("running gatewright: %v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("gatewright %q exits %d, want %s", args[1:], code, args[0])
	}
}

func oneLine(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || len(text) > 600 || strings.ContainsAny(text, "\x00\x1b\r") {
		ts.Fatalf("%s is not one plain line: %q", args[0], text)
	}
}

func grow(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := bytes.Repeat([]byte(args[2]), size/len(args[2]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

func copyDir(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

func oddFolder(ts *testscript.TestScript, _ bool, args []string) {
	dir := filepath.Join(ts.MkAbs(args[0]), "x\n\u009b\u202ey")
	ts.Check(os.MkdirAll(dir, 0o755))
	text := `{"paths": [{"name": "/a", "lambdaFunction": "a", "privacy": {"open": true}}]}`
	ts.Check(os.WriteFile(filepath.Join(dir, "api-params.json"), []byte(text), 0o644))
}

func plain(ts *testscript.TestScript, _ bool, args []string) {
	if text := ts.ReadFile(args[0]); strings.ContainsAny(text, "\x1b\u009b\u202e") {
		ts.Fatalf("%s has control characters: %q", args[0], text)
	}
}
