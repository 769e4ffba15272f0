package aws_test

import (
	"iter"
	"slices"
	"testing"

	"gatewright/deploy/awstest"
	"gatewright/deploy/deploytest"
	"gatewright/test/depth"
)

// everyCall is the distance between the calls of a push at which histories differ, beside those
// that tell something; 0 is none. everyHistory is the distance between other histories of a kind.
var (
	everyCall    = depth.Rounds(0, 24, 1)
	everyHistory = depth.Rounds(29, 4, 1)
)

// some yields every so-manieth of n, beginning with one that differs for each of several places.
func some(n, every, place int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := place % min(every, n); i < n; i += every {
			if !yield(i) {
				return
			}
		}
	}
}

// callsOf are the actions of an undisturbed push.
func callsOf(t *testing.T, s start, cache string) (actions []string) {
	t.Helper()
	r := begin(t, s, cache, awstest.Options{})
	before := len(r.fake.Calls())
	deploytest.Must(t, r.push(pushOptions{allow: s.allow}).err)
	for _, c := range r.fake.Calls()[before:] {
		actions = append(actions, c.Action)
	}
	return actions
}

// every lists the calls of a push that have their own histories: those at which something begins or
// ends, of which the usual depth takes one that differs with the place, and every so-manieth.
func every(actions []string, place int) []int {
	first := func(action string) int { return max(0, slices.Index(actions, action)) }
	executed := first("ExecuteChangeSet")
	telling := []int{0, first("PutObject"), first("CreateChangeSet"), executed, executed + 1, len(actions) - 2, len(actions) - 1}
	var calls []int
	for i := range some(len(telling), depth.Rounds(7, 1, 1), place) {
		calls = append(calls, telling[i])
	}
	for k := 0; everyCall > 0 && k < len(actions); k += everyCall {
		calls = append(calls, k)
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}
