// Package rounds says how often tests repeat that try random cases or every key: the race
// detector makes a program slower by five to ten times, and more cases find no more races.
// The script .ci/run runs these tests without it too.
package rounds

import (
	"flag"
	"strconv"
	"testing"
)

// Of returns n, and with the race detector a ninth of it.
func Of(n int) int { return max(1, n/share) }

// Skips reports whether a test leaves the case with this number out: never, and with the race
// detector eight of nine times.
func Skips(number int) bool { return number%share != 0 }

// WithoutRace skips a test with the race detector: it tries many cases or starts other programs,
// and what runs concurrently in it is tried by other tests too.
func WithoutRace(t testing.TB) {
	t.Helper()
	if share > 1 {
		t.Skip(reason)
	}
}

// reason is what the script .ci/run looks for to leave out of its list of skipped tests those that
// it runs later.
const reason = "this runs without the race detector"

// Rapid has rapid.Check try Of as many cases as it would, until the test ends.
func Rapid(t testing.TB) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	n, err := strconv.Atoi(before)
	if err != nil {
		t.Fatal(err)
	}
	set := func(value string) {
		if err := checks.Value.Set(value); err != nil {
			t.Fatal(err)
		}
	}
	set(strconv.Itoa(Of(n)))
	t.Cleanup(func() { set(before) })
}
