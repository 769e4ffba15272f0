//go:build !race

package app_test

// everyPlace is the distance between the places that tests of all places visit: the race
// detector is slow, so with it only some are visited. The script .ci/run visits all without it.
const everyPlace = 1
