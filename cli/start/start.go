// Package start sets what holds for the whole process before most packages make their variables.
package start

import (
	"runtime"
	"runtime/debug"
)

// The first garbage collection is at 16 MB instead of 4, which most commands never reach. From then on, and
// if GOGC says otherwise, collections are as usual.
func init() {
	const usual, first = 100, 400
	if was := debug.SetGCPercent(first); was != usual {
		debug.SetGCPercent(was)
		return
	}
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}
