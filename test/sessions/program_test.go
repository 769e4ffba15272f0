package sessions

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is the key under which testscript keeps how long a session waits for something that
// happens at once on an idle machine.
type patience struct{}

func patienceOf(ts *testscript.TestScript) time.Duration { return ts.Value(patience{}).(time.Duration) }

func exits(ts *testscript.TestScript, _ bool, args []string) {
	expect(ts, args, "gatewright")
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
	if code := run(ts, args, command...); code != args[0] {
		ts.Fatalf("gatewright %q exits %s, want %s", args[1:], code, args[0])
	}
}

func eventually(ts *testscript.TestScript, _ bool, args []string) {
	waitUntil(ts, fmt.Sprintf("gatewright %q exits %s", args[1:], args[0]), func() bool {
		return run(ts, args, "gatewright") == args[0]
	})
}

// run runs a command with the arguments after the first one, and returns its exit code.
func run(ts *testscript.TestScript, args []string, command ...string) string {
	if len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGS...")
	}
	if len(command) == 1 {
		if code, done := runInside(ts, args[1:]); done {
			return code
		}
	}
	err := ts.Exec(command[0], append(command[1:], args[1:]...)...)
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		return strconv.Itoa(exit.ExitCode())
	}
	if err != nil {
		ts.Fatalf("running gatewright: %v", err)
	}
	return "0"
}

func waitUntil(ts *testscript.TestScript, what string, done func() bool) {
	patience := patienceOf(ts)
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("after %v it is not so that %s", patience, what)
		}
	}
}

func awaitFile(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	waitUntil(ts, "there is "+args[0], func() bool {
		_, err := os.Stat(name)
		return err == nil
	})
}

// background is the program that a session has started and not interrupted yet. Its zero value
// is the key under which testscript keeps it.
type background struct {
	command        *exec.Cmd
	stdout, stderr *bytes.Buffer
}

// printer is a program that prints the environment of the commands of a session, which
// testscript tells nobody.
const printer = "print-environment"

func printEnvironment() { fmt.Print(strings.Join(os.Environ(), "\x00")) }

// start is testscript's own exec ... & with a program that interrupt can interrupt on every
// system.
func start(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ts.Exec(printer))
	environment := strings.Split(ts.ReadFile("stdout"), "\x00")
	path := ts.Getenv("PATH")
	program := ""
	for _, folder := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(folder, "gatewright")); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		ts.Fatalf("gatewright is not on the PATH %s", path)
	}
	b := ts.Value(background{}).(*background)
	if b.command != nil {
		ts.Fatalf("gatewright %q runs already; interrupt it first", b.command.Args[1:])
	}
	b.stdout, b.stderr = new(bytes.Buffer), new(bytes.Buffer)
	command := exec.Command(program, args...)
	command.Dir, command.Env = ts.MkAbs("."), environment
	command.Stdout, command.Stderr = b.stdout, b.stderr
	// A process that it leaves behind may keep its output open.
	command.WaitDelay = patienceOf(ts) / 6
	makeInterruptible(command)
	ts.Check(command.Start())
	b.command = command
	ts.Defer(func() {
		if b.command == command {
			_ = command.Process.Kill()
			_ = command.Wait()
			ts.Logf("[of the background]\n%s%s", b.stdout, b.stderr)
		}
	})
}

// interrupt interrupts the program of start and waits for its end, which must be exit code 0.
func interrupt(ts *testscript.TestScript, _ bool, _ []string) {
	b := ts.Value(background{}).(*background)
	if b.command == nil {
		ts.Fatalf("nothing runs in the background")
	}
	ts.Check(sendInterrupt(b.command.Process))
	err := b.command.Wait()
	b.command = nil
	_, _ = ts.Stdout().Write(b.stdout.Bytes())
	_, _ = ts.Stderr().Write(b.stderr.Bytes())
	ts.Check(err)
}
