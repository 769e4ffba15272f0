// Package start sets what holds for the whole process before other packages make their variables: it
// imports next to nothing, and so comes before most of them.
package start

import (
	"os"
	"runtime"
	"runtime/debug"
)

// The first garbage collection is at 16 MB instead of 4, which most commands never reach. From then on
// collections are as usual. GOGC, if it is set, counts instead.
func init() {
	const usual, first = 100, 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(first)
		runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
	}
}
