// Package frametest is for tests that press keys on screens.
package frametest

import (
	"runtime"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// soon is how long a command may take before it is looked at, late how long one
// that is no timer may take.
const (
	soon = 80 * time.Millisecond
	late = 30 * time.Second
)

// Await carries out a command and gives its message, however long that takes on a
// busy machine. A tea.Tick is not waited for, and gives false: it is for who has
// stopped pressing keys.
func Await(cmd tea.Cmd) (tea.Msg, bool) {
	result, goroutine := make(chan tea.Msg, 1), make(chan string, 1)
	go func() {
		goroutine <- stackOf(false)
		result <- cmd()
	}()
	id, _, _ := strings.Cut(<-goroutine, " [")
	for waited := time.Duration(0); waited < late; waited += soon {
		select {
		case msg := <-result:
			return msg, true
		case <-time.After(soon):
			if isTimer(id) {
				return nil, false
			}
		}
	}
	return nil, false
}

// stackOf is the stack of this goroutine, or of all.
func stackOf(all bool) string {
	stack := make([]byte, 1<<20)
	return string(stack[:runtime.Stack(stack, all)])
}

// isTimer reports whether a goroutine waits in a tea.Tick.
func isTimer(id string) bool {
	for stack := range strings.SplitSeq(stackOf(true), "\n\n") {
		if strings.HasPrefix(stack, id+" [") {
			return strings.Contains(stack, "bubbletea/v2.Tick")
		}
	}
	return false
}
