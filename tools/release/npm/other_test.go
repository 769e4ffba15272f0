//go:build !unix

package npm_test

import "os"

// watched and lastSignal are the signals that there are without Unix.
var (
	watched              = []os.Signal{os.Interrupt}
	lastSignal os.Signal = os.Kill
)

// die ends the program with an error.
func die(string) int { return 1 }
