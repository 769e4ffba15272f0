// Package depth says how much the tests try. There are three depths:
//
//   - usual is what "go test ./..." does alone. It takes minutes, and needs nothing but Go: no
//     registry of packages, no network beyond loopback, nothing installed.
//   - gate is what a change must pass: the script .ci/run.
//   - whole is everything: ".ci/run whole", with the real registries, real clients and many seeds.
//
// A test has the usual depth unless it calls [Gate] or [Whole] first. The environment variable
// GATEWRIGHT_TEST_DEPTH names the depth of a run.
package depth

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	_ "pgregory.net/rapid" // its flags have to be there before init
)

const variable = "GATEWRIGHT_TEST_DEPTH"

type level int

const (
	usual level = iota
	gate
	whole
)

// depth reads the variable whenever it is asked, so that the go command knows that a cached result
// depends on it.
func depth() level {
	switch name := os.Getenv(variable); name {
	case "", "usual":
		return usual
	case "gate":
		return gate
	case "whole":
		return whole
	default:
		panic(fmt.Sprintf("%s is %q: it is usual, gate or whole", variable, name))
	}
}

// init has the properties of package rapid tried as often as the depth says, unless the command
// line does: go test -args -rapid.checks=5.
func init() {
	if err := flag.Lookup("rapid.checks").Value.Set(strconv.Itoa(Rounds(15, 100, 400))); err != nil {
		panic(err)
	}
}

// Gate skips the test in the usual depth.
func Gate(t testing.TB) {
	t.Helper()
	from(t, gate, "gate")
}

// Whole skips the test in all depths but the whole.
func Whole(t testing.TB) {
	t.Helper()
	from(t, whole, "whole")
}

func from(t testing.TB, least level, name string) {
	t.Helper()
	if depth() < least {
		t.Skipf("%s is for %s=%s", t.Name(), variable, name)
	}
}

// Rounds returns how often a test of random or of very many cases repeats. With the race detector
// that is as often as usual: more cases find no more races.
func Rounds(inUsual, inGate, inWhole int) int {
	if race {
		return inUsual
	}
	return [...]int{usual: inUsual, gate: inGate, whole: inWhole}[depth()]
}

// WithoutRace skips the test with the race detector: it tries many cases or starts other programs,
// and what runs concurrently in it is tried by other tests too.
func WithoutRace(t testing.TB) {
	t.Helper()
	if race {
		t.Skipf("%s runs without the race detector", t.Name())
	}
}

// Needs skips the test if one of the commands is not there, see [Lacks].
func Needs(t testing.TB, commands ...string) {
	t.Helper()
	for _, name := range commands {
		if _, err := exec.LookPath(name); err != nil {
			Lacks(t, name, err)
		}
	}
}

// installed is what .ci/run installs, or reaches in the depth that needs it.
var installed = []string{"node", "npm", "npx", "python3", "pip", "tmux", "curl", "npm's registry", "Go's module proxy"}

var lacked atomic.Bool

// Lacked reports whether [Lacks] has skipped a test of this package.
func Lacked() bool { return lacked.Load() }

// Lacks skips a test that needs something which this machine does not have, such as "node", and
// notes it for [Tell]. With CI=true it fails the test for want of what .ci/run installs.
func Lacks(t testing.TB, what string, why any) {
	t.Helper()
	if os.Getenv("CI") == "true" && slices.Contains(installed, what) {
		t.Fatalf("%s is missing, which .ci/run installs or reaches: %v", what, why)
	}
	lacked.Store(true)
	note(what, t.Name())
	t.Skipf("NOT TESTED for want of %s: %v", what, why)
}
