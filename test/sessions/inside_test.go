package sessions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gatewright/cli"
	"gatewright/cli/command"
	"gatewright/test/depth"
)

const scripts = "../../testdata/script"

// inside are the names of the variables of a script whose commands may run in the process of the
// tests, which spares the start of a process each.
type inside struct{ names []string }

// insideKey is the key under which testscript keeps them.
type insideKey struct{}

var (
	// setsVariable finds the variables that a script sets.
	setsVariable = regexp.MustCompile(`(?m)^(?:env|setenv) (\w+)[= ]`)
	// needsProcess finds what a command sees of its process only: folders for temporary files, the
	// settings of AWS and git, locks of another process.
	needsProcess = regexp.MustCompile(`(?m)^lock |^env (TMPDIR|HOME|PATH|AWS_\w+|GIT_\w+)=`)
)

// insideOf decides how the commands of a script run. In the gate each is a process.
func insideOf(script string, variables []string) *inside {
	text, err := os.ReadFile(filepath.Join(scripts, script+".txtar"))
	if err != nil || needsProcess.Match(text) || depth.Rounds(0, 1, 1) > 0 {
		return nil
	}
	in := &inside{}
	for _, v := range variables {
		name, _, _ := strings.Cut(v, "=")
		in.names = append(in.names, name)
	}
	for _, found := range setsVariable.FindAllSubmatch(text, -1) {
		in.names = append(in.names, string(found[1]))
	}
	return in
}

// outside are commands that start processes of functions, or set what belongs to the process.
var outside = []string{"sandbox", "mock", "learn", "test", "prove", "review", "dashboard", "call"}

// fromInput are arguments of commands that read standard input, which testscript gives a process only.
var fromInput = []string{"-", "--password-stdin"}

// runInside runs a command in this process, if it may, and returns its exit code.
func runInside(ts *testscript.TestScript, args []string) (code string, done bool) {
	in, _ := ts.Value(insideKey{}).(*inside)
	reads := func(arg string) bool { return slices.Contains(fromInput, arg) }
	if in == nil || len(args) == 0 || slices.Contains(outside, args[0]) || slices.ContainsFunc(args, reads) {
		return "", false
	}
	streams := command.Streams{
		In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Dir: ts.MkAbs("."), Zone: time.UTC, Environ: []string{},
	}
	for _, name := range in.names {
		streams.Environ = append(streams.Environ, name+"="+ts.Getenv(name))
	}
	return strconv.Itoa(cli.Run(args, streams)), true
}
