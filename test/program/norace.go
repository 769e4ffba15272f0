//go:build !race

package program

// race says that the tests have the race detector.
const race = false
