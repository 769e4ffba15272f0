package npm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gatewright/test/depth"
)

func TestTheProgramGetsArgumentsInputAndEnvironmentAsTheyAre(t *testing.T) {
	t.Parallel()
	args := []string{
		"", "a b", `"quoted" and 'quoted'`, `back\slash\`, `\"`, "ünï→🙂", "*", "$HOME", "%PATH%", "a\nb", "--", "-h", "^&|<>()!", "`id`", "$(id)",
	}
	if runtime.GOOS == "windows" {
		args = slices.DeleteFunc(args, func(arg string) bool { return strings.Contains(arg, "\n") })
	}
	bothWays(t, func(t *testing.T, underNpm bool) {
		cmd := launch(t, installed(t), underNpm, append([]string{"tell"}, args...)...)
		cmd.Stdin = strings.NewReader("first line\nsecond line")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v %s", err, errs.Bytes())
		}
		var got told
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Args, args) || got.Input != "first line\nsecond line" {
			t.Errorf("the program got %q and the input %q", got.Args, got.Input)
		}
		if errs.String() != "on standard error\n" {
			t.Errorf("standard error has %q", errs.String())
		}
		slices.Sort(got.Environment)
		want := slices.Sorted(slices.Values(cmd.Environ()))
		if runtime.GOOS != "windows" && !slices.Equal(got.Environment, want) {
			t.Errorf("the environment is %q,\nwant %q", got.Environment, want)
		}
	})
}

func TestTheExitCodeIsThatOfTheProgram(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, underNpm bool) {
		modules := installed(t)
		for _, code := range []int{3, 0, 130, 1}[:depth.Rounds(2, 4, 4)] {
			if got := exitCode(t, launch(t, modules, underNpm, "exit", strconv.Itoa(code)).Run()); got != code {
				t.Errorf("the exit code is %d, want %d", got, code)
			}
		}
	})
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if exit == nil {
		return 0
	}
	return exit.ExitCode()
}

// TestWhatCannotStartIsSaidInOneLine spoils an installation in each way that happens.
func TestWhatCannotStartIsSaidInOneLine(t *testing.T) {
	t.Parallel()
	program := "bin/gatewright"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	other := "gatewright-win32-arm64"
	tests := []struct {
		name string
		// spoil gets node_modules, and returns variables of the environment.
		spoil func(t *testing.T, modules, mine string) []string
		want  []string
	}{
		{
			"the package of the platform is missing",
			func(t *testing.T, _, mine string) []string { return done(t, os.RemoveAll(mine)) },
			[]string{"gatewright-" + here(), "npm install --include=optional"},
		},
		{
			"the packages are from another system",
			func(t *testing.T, modules, mine string) []string {
				replace(t, filepath.Join(modules, "gatewright", "package.json"), `"gatewright-`+here()+`": "1.2.3"`, `"gatewright-`+here()+`": "1.2.3", "`+other+`": "1.2.3"`)
				return done(t, os.Rename(mine, filepath.Join(modules, other)))
			},
			[]string{"is for win32-arm64", "for " + here(), "npm ci"},
		},
		{
			"there is no package for the platform",
			func(t *testing.T, modules, _ string) []string {
				replace(t, filepath.Join(modules, "gatewright", "package.json"), "gatewright-"+here(), other)
				return nil
			},
			[]string{"no program for " + here(), "only for ", "win32-arm64", "GATEWRIGHT_BINARY"},
		},
		{
			"the package has another version",
			func(t *testing.T, _, mine string) []string {
				replace(t, filepath.Join(mine, "package.json"), "1.2.3", "1.2.4")
				return nil
			},
			[]string{"has version 1.2.4", "has 1.2.3", "install again"},
		},
		{
			"the program is missing",
			func(t *testing.T, _, mine string) []string { return done(t, os.Remove(filepath.Join(mine, program))) },
			[]string{filepath.FromSlash(program), "is missing", "install again"},
		},
		{
			"the program may not be executed",
			func(t *testing.T, _, mine string) []string {
				if runtime.GOOS == "windows" {
					t.Skip("Windows has no such permission")
				}
				name := filepath.Join(mine, program)
				return done(t, errors.Join(os.Remove(name), os.WriteFile(name, []byte("a program"), 0o600)))
			},
			[]string{filepath.FromSlash(program), "chmod +x", "noexec"},
		},
		{
			"Node.js is too old",
			func(t *testing.T, modules, _ string) []string {
				replace(t, filepath.Join(modules, "gatewright", "package.json"), ">=18", ">=1800")
				return nil
			},
			[]string{"this is Node.js ", "1800 or newer"},
		},
		{
			"GATEWRIGHT_BINARY names nothing",
			func(*testing.T, string, string) []string { return []string{"GATEWRIGHT_BINARY=no-such-program"} },
			[]string{"no-such-program is missing", "unset"},
		},
		{
			"GATEWRIGHT_BINARY names a script without an interpreter",
			func(t *testing.T, modules, _ string) []string {
				if runtime.GOOS == "windows" {
					t.Skip("Windows knows no interpreters")
				}
				name := filepath.Join(modules, "script")
				return append(done(t, os.WriteFile(name, []byte("#!/no/such/interpreter\n"), 0o700)), "GATEWRIGHT_BINARY="+name)
			},
			[]string{"script cannot be started", "ENOENT"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(t *testing.T, underNpm bool) {
				if underNpm {
					depth.Gate(t)
				}
				modules := installed(t)
				environment := test.spoil(t, modules, filepath.Join(modules, "gatewright-"+here()))
				cmd := launch(t, modules, underNpm, "exit", "0")
				cmd.Env = append(cmd.Env, environment...)
				out, err := cmd.CombinedOutput()
				if code := exitCode(t, err); code != 1 {
					t.Errorf("the exit code is %d, want 1", code)
				}
				said := string(out)
				if !strings.HasPrefix(said, "gatewright: ") || strings.Count(said, "\n") != 1 {
					t.Errorf("it says %q, want one line", said)
				}
				for _, want := range test.want {
					if !strings.Contains(said, want) {
						t.Errorf("it says %q, want %q in it", said, want)
					}
				}
			})
		})
	}
}

// done fails the test if spoiling failed, and returns no variables.
func done(t *testing.T, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return nil
}

func replace(t *testing.T, name, old, with string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%s has no %q", name, old)
	}
	if err := os.WriteFile(name, bytes.ReplaceAll(text, []byte(old), []byte(with)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestGATEWRIGHT_BINARYStartsAnotherProgram(t *testing.T) {
	t.Parallel()
	modules := installed(t)
	if err := os.RemoveAll(filepath.Join(modules, "gatewright-"+here())); err != nil {
		t.Fatal(err)
	}
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := launch(t, modules, false, "tell")
	cmd.Env = append(cmd.Env, "GATEWRIGHT_BINARY="+executable)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out, []byte("GATEWRIGHT_BINARY")) {
		t.Errorf("the program sees the launcher's variable: %s", out)
	}
}

func TestALauncherThatIsToldToStartItselfStartsTheProgram(t *testing.T) {
	t.Parallel()
	modules := installed(t)
	cmd := launch(t, modules, false, "exit", "3")
	cmd.Env = append(cmd.Env, "GATEWRIGHT_BINARY="+cmd.Args[1])
	if runtime.GOOS == "windows" {
		t.Skip("Windows starts no scripts without a shell")
	}
	if code := exitCode(t, cmd.Run()); code != 3 {
		t.Errorf("the exit code is %d, want 3", code)
	}
}
