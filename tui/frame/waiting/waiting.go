// Package waiting is where a command says that it begins to wait for something that may not come
// for a long time, or never. Only tests listen, which then do not wait with it.
package waiting

import "sync/atomic"

// What a command waits for.
type What int

const (
	// Time is a time that has to pass, and nothing else.
	Time What = iota
	// News is something that another goroutine may send.
	News
)

var listener atomic.Pointer[func(What)]

// Begins says that this goroutine begins to wait.
func Begins(what What) {
	if heard := listener.Load(); heard != nil {
		(*heard)(what)
	}
}

// Listen has a function called, in the goroutine that begins to wait, whenever one does. It
// replaces the one before.
func Listen(heard func(What)) { listener.Store(&heard) }
