package npm_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/term"

	"gatewright/test/depth"
	"gatewright/test/program"
)

// actsAsProgram is a variable which makes the test's own executable the program that is packed.
const actsAsProgram = "GATEWRIGHT_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(actsAsProgram) != "" {
		os.Exit(act(os.Args[1:]))
	}
	program.Main(m, clearStock)
}

// act is what the packed program does.
func act(args []string) int {
	switch args[0] {
	case "exit":
		code, _ := strconv.Atoi(args[1])
		return code
	case "tell":
		// Arguments, standard input and the environment.
		input, _ := io.ReadAll(os.Stdin)
		fmt.Fprintln(os.Stderr, "on standard error")
		_ = json.NewEncoder(os.Stdout).Encode(told{Args: args[1:], Input: string(input), Environment: os.Environ()})
	case "version":
		fmt.Println("gatewright of the test", runtime.GOOS+"/"+runtime.GOARCH)
	case "die":
		return die(args[1])
	case "watch":
		watch(args[1])
	}
	return 0
}

// told is what the program says about how it was started.
type told struct {
	Args        []string
	Input       string
	Environment []string
}

// watch writes each signal that arrives into a file, as a line, until SIGTERM arrives or the
// standard input has a line.
func watch(name string) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	signals := make(chan os.Signal, 100)
	signal.Notify(signals, watched...)
	terminal := term.IsTerminal(0) && term.IsTerminal(1) && term.IsTerminal(2)
	fmt.Fprintf(file, "started as %d terminal %v\n", os.Getpid(), terminal)
	end := make(chan struct{})
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		close(end)
	}()
	for {
		select {
		case s := <-signals:
			fmt.Fprintln(file, s)
			if s == lastSignal {
				return
			}
		case <-end:
			fmt.Fprintln(file, "input ended")
			return
		}
	}
}

// packages has the main package and the one of this platform, whose program [lay] replaces.
var packages struct {
	sync.Once
	main, platform map[string]entry
	name           string
}

// here is this platform in npm's words.
func here() string {
	cpu := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	return strings.Replace(runtime.GOOS, "windows", "win32", 1) + "-" + cpu
}

// installed lays the packages out as package managers do, and returns the path of node_modules.
func installed(t *testing.T) string {
	t.Helper()
	packages.Do(func() {
		r, programs := release()
		packed := written(t, r, programs)
		packages.platform, packages.main = unpack(t, packed[runtime.GOOS+"_"+runtime.GOARCH]), unpack(t, packed["main"])
	})
	modules := filepath.Join(t.TempDir(), "it's a folder", "node_modules")
	lay(t, filepath.Join(modules, "gatewright"), packages.main)
	lay(t, filepath.Join(modules, "gatewright-"+here()), packages.platform)
	return modules
}

// lay writes the files of a package. The program is a link to the test's executable, because copies
// for all tests would be hundreds of megabytes; where there are no links to it, it is a copy.
func lay(t *testing.T, dir string, entries map[string]entry) {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range entries {
		linked := strings.HasPrefix(name, "bin/gatewright") && !strings.HasSuffix(name, ".js")
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if linked && os.Link(executable, name) == nil {
			continue
		}
		if linked {
			if e.content, err = os.ReadFile(executable); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, e.content, e.header.FileInfo().Mode()); err != nil {
			t.Fatal(err)
		}
	}
}

// launch returns a command that starts the launcher in node_modules. underNpm sets what package
// managers set, so that the launcher stays where it could give way to the program.
func launch(t *testing.T, modules string, underNpm bool, args ...string) *exec.Cmd {
	t.Helper()
	depth.Needs(t, "node")
	cmd := exec.Command("node", append([]string{filepath.Join(modules, "gatewright", "bin", "gatewright.js")}, args...)...)
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "npm_") && !strings.HasPrefix(variable, "GATEWRIGHT_BINARY=") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(cmd.Env, actsAsProgram+"=1")
	if underNpm {
		cmd.Env = append(cmd.Env, "npm_config_user_agent=npm/11.0.0")
	}
	return cmd
}

// bothWays runs a test with a launcher that may give way to the program, and with one that stays.
func bothWays(t *testing.T, test func(t *testing.T, underNpm bool)) {
	for name, underNpm := range map[string]bool{"alone": false, "under npm": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, underNpm)
		})
	}
}
