//go:build !race

package deploy_test

// everyCall is the distance between the calls of a push at which histories differ, and so are the
// others for histories and changes of their kinds: with the race detector, which is slow, few cases
// have a history, and the gate runs these tests without it too.
const (
	everyCall    = 3
	everyHistory = 1
	everyChange  = 1
)
