// Package frametest is for tests that press keys on screens.
package frametest

import (
	"runtime"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// soon is how long a command may take before it is looked at for the first time, seldom
// how long it may be until the next look, quiet how long one that waits for what others
// tell may wait, late how long any other may take.
const (
	soon   = time.Millisecond
	seldom = 80 * time.Millisecond
	quiet  = time.Second
	late   = 30 * time.Second
)

// Await carries out a command and gives its message, however long that takes on a
// busy machine. A tea.Tick is not waited for, and gives false: it is for who has
// stopped pressing keys. So does an inbox into which nobody puts anything.
func Await(cmd tea.Cmd) (tea.Msg, bool) {
	result, goroutine := make(chan tea.Msg, 1), make(chan string, 1)
	go func() {
		goroutine <- stackOf(false, 64)
		result <- cmd()
	}()
	id, _, _ := strings.Cut(<-goroutine, " [")
	pause := soon
	for waited := time.Duration(0); waited < late; waited += pause {
		pause = min(2*pause, seldom)
		select {
		case msg := <-result:
			return msg, true
		case <-time.After(pause):
			if stack := stackOfOne(id); strings.Contains(stack, "bubbletea/v2.Tick") || waited > quiet && strings.Contains(stack, ".(*Inbox[") {
				return nil, false
			}
		}
	}
	return nil, false
}

// stackOf is the stack of this goroutine, or of all, up to so many bytes.
func stackOf(all bool, most int) string {
	stack := make([]byte, most)
	return string(stack[:runtime.Stack(stack, all)])
}

// stackOfOne is the stack of a goroutine.
func stackOfOne(id string) string {
	for stack := range strings.SplitSeq(stackOf(true, 1<<19), "\n\n") {
		if strings.HasPrefix(stack, id+" [") {
			return stack
		}
	}
	return ""
}
