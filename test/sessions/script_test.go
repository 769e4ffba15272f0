package sessions

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gatewright/cli"
	"gatewright/test/await"
	"gatewright/test/depth"
)

var update = flag.Bool("update", false, "write the output of the sessions into their scripts")

func TestMain(m *testing.M) {
	programs := map[string]func(){"gatewright": cli.Main, printer: printEnvironment}
	maps.Copy(programs, systemPrograms)
	testscript.Main(m, programs)
}

// TestSessions runs the program as its users do: each script is a session. The commands of
// the scripts beside those of testscript are:
//
//   - exits CODE ARGS... runs the program, which must end with the exit code
//   - eventually CODE ARGS... is the same, again and again until it does
//   - unprivileged CODE ARGS... is exits as a user who is not root
//   - start ARGS... runs the program in the background, until interrupt, which is ctrl+c
//   - await FILE waits until there is the file
//   - oneline FILE: the file must have a single line
//   - plain FILE: the file must have no control characters
//   - private FILE: only its owner may read and write the file
//   - islink FILE: the file must be a link
//   - grow NAME SIZE TEXT makes a file of repeated text
//   - append FILE LINE adds a line to a file, which it makes if need be
//   - replace FILE PATTERN TEXT writes the text where the file has the pattern
//   - copydir FROM TO copies a folder
//   - ls FOLDER prints the names in a folder
//   - tree FOLDER... prints all that is in folders, with hashes
//   - search PATTERN FOLDER: a file in the folder must have the pattern; with !, none may
//   - setenv NAME FILE sets a variable to what is in a file
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
		Dir:                 scripts,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("REAL", real)
			// What the sessions print has times in this zone.
			env.Setenv("TZ", "UTC")
			// A program with the race detector waits a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Values[patience{}] = await.Limit(t)
			env.Values[background{}] = new(background)
			env.Values[insideKey{}] = insideOf(strings.TrimPrefix(filepath.Base(env.WorkDir), "script-"), env.Vars)
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "real":
				_, err := os.Stat(real)
				return err == nil, nil
			case "gate":
				return depth.Rounds(0, 1, 1) > 0, nil
			case "unprivileged":
				return canBeUnprivileged()
			case "links":
				return hasLinks(t.TempDir())
			}
			return false, fmt.Errorf("the condition %s is not known", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":        exits,
			"eventually":   eventually,
			"unprivileged": unprivileged,
			"start":        start,
			"interrupt":    interrupt,
			"await":        awaitFile,
			"oneline":      oneLine,
			"plain":        plain,
			"private":      private,
			"islink":       isLink,
			"grow":         grow,
			"append":       appendLine,
			"replace":      replace,
			"copydir":      copyDir,
			"ls":           list,
			"tree":         tree,
			"search":       search,
			"setenv":       setenv,
			"oddfolder":    oddFolder,
			"lock":         lockFile,
			"unlock":       unlockFile,
		},
	})
}

// setpriv is the program with which tests that run as root act as another user, because root
// may write everywhere.
const setpriv = "setpriv"

// canBeUnprivileged reports whether permissions can be tested on this machine. On the build
// server it is an error if they cannot.
func canBeUnprivileged() (bool, error) {
	// On Windows the permissions of a folder do not say who may write into it.
	if runtime.GOOS == "windows" {
		return false, nil
	}
	if os.Geteuid() != 0 {
		return true, nil
	}
	_, err := exec.LookPath(setpriv)
	if err != nil && os.Getenv("CI") == "true" {
		return false, fmt.Errorf("permissions cannot be tested as root: %w; install it", err)
	}
	return err == nil, nil
}

// hasLinks reports whether symbolic links can be made here. On Windows not everybody may, and
// Wine says that it made one and makes none.
func hasLinks(folder string) (bool, error) {
	link := filepath.Join(folder, "link")
	if err := os.Symlink("target", link); err != nil {
		return false, nil
	}
	info, err := os.Lstat(link)
	return err == nil && info.Mode()&os.ModeSymlink != 0, nil
}
