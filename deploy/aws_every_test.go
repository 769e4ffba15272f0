//go:build !race

package deploy_test

// everyCall is the distance between the calls of a push at which histories differ: with the
// race detector, which is slow, not every call has its own history.
const (
	everyCall      = 3
	everyAdoption  = 7
	everyHistory   = 1
	everyDetaching = 1
	everyKill      = 1
)
