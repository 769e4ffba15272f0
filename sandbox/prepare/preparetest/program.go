// Package preparetest has what tests need in the place of npm, of Python with pip and of a registry of
// packages: the test's program stands for the programs ([StandIn]), and a [Registry] is on this machine.
package preparetest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gatewright/test/depth"
)

// The test's program is other programs too: those that tests would have to install or to build. npm
// and pip are real in deeper depths than the usual.

// ProgramVariable names such a program, if its own name does not.
const ProgramVariable = "GATEWRIGHT_TEST_PROGRAM"

// StandIn has the test's program be npm, Python or Node.js, if it was started as one of them. It
// returns the name that it was started by otherwise.
func StandIn() (name string) {
	name = os.Getenv(ProgramVariable)
	if name == "" {
		name = filepath.Base(os.Args[0])
	}
	switch name {
	case "node":
		// npm's packages are installed for a version.
		fmt.Println("22")
		os.Exit(0)
	case "npm":
		os.Exit(standForNpm(os.Args[1:]))
	case "python3":
		os.Exit(standForPip(os.Args[1:]))
	case "inherits":
		text, _ := json.Marshal(Started)
		fmt.Println(string(text))
		os.Exit(0)
	}
	return name
}

// RunTests runs tests that find the stand-ins, and ends the program.
func RunTests(m *testing.M) {
	folder, err := os.MkdirTemp("", "gatewright-function-")
	if err == nil {
		err = arrange(folder)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// StandsIn is whether the test's program stands for npm.
var StandsIn = depth.Rounds(1, 0, 0) == 1 && runtime.GOOS != "windows"

// lacksNode is why there is no Node.js, which runs functions. In its place the test's program tells
// its version.
var lacksNode = func() error {
	_, err := exec.LookPath("node")
	return err
}()

// arrange sets what all tests share: which programs they find, and where npm keeps things.
func arrange(folder string) error {
	path := os.Getenv("PATH")
	if python := interpreterItself(); python != "" {
		path = filepath.Dir(python) + string(os.PathListSeparator) + path
	}
	if StandsIn {
		err := os.Symlink(TestProgram(), filepath.Join(folder, "npm"))
		if err == nil && lacksNode != nil {
			err = os.Symlink(TestProgram(), filepath.Join(folder, "node"))
		}
		if err != nil {
			return err
		}
		path = folder + string(os.PathListSeparator) + path
	}
	for name, value := range map[string]string{
		"PATH": path, "npm_config_cache": filepath.Join(folder, "cache"),
		"npm_config_userconfig": filepath.Join(folder, "npmrc"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// interpreterItself returns Python if the one in PATH is a script that looks for it, which takes
// longer than Python's own start; "" if it is not.
func interpreterItself() string {
	path, err := exec.LookPath("python3")
	if err != nil {
		return ""
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text[:min(len(text), 2)]), "#!") {
		return ""
	}
	out, err := exec.Command(path, "-c", "import sys; print(sys.executable, end='')").Output()
	if err != nil || filepath.Base(string(out)) != "python3" {
		return ""
	}
	return string(out)
}

// TestProgram returns the path of the test's program.
func TestProgram() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// NeedsProgram skips a test on a machine without a program. It returns the path of the program.
func NeedsProgram(t testing.TB, name string) string {
	t.Helper()
	if name == "node" && lacksNode != nil {
		depth.Lacks(t, name, lacksNode)
	}
	depth.Needs(t, name)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Inheritance is what a process has from the one that started it.
type Inheritance struct {
	Folder      string
	Environment []string
	// Files are the numbers of its open files; nil where the system does not tell.
	Files []string
	// Input is what it can read from its standard input.
	Input string
}

func inherits() (found Inheritance) {
	// What cannot be had is seen by the tests.
	found.Folder, _ = os.Getwd()
	found.Environment = os.Environ()
	slices.Sort(found.Environment)
	// Shells have their own files from number 10 on, which are for all that they start. Go has some for
	// itself.
	for number := range 10 {
		to, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", number))
		if err == nil && !strings.HasPrefix(to, "anon_inode:[event") && !strings.HasPrefix(to, "/sys/fs/cgroup/") {
			found.Files = append(found.Files, fmt.Sprint(number))
		}
	}
	input, _ := io.ReadAll(os.Stdin)
	found.Input = string(input)
	return found
}

// Started is what the program had when it began, before it opened anything itself.
var Started Inheritance

func init() {
	if name := os.Getenv(ProgramVariable); name == "handler" || name == "inherits" {
		Started = inherits()
	}
}
