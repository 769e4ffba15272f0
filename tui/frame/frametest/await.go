// Package frametest is for tests that press keys on screens.
package frametest

import (
	"runtime"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Screens are drawn in one time zone on every machine that runs their tests.
func init() { time.Local = time.UTC }

const (
	firstPause   = time.Millisecond      // before the stack of a command is first examined
	longestPause = 80 * time.Millisecond // between two examinations
	inboxTimeout = time.Second           // for a command that reads from an inbox
	timeout      = 30 * time.Second      // for any other command
)

// Await runs a command and returns its message. It returns false after 30 seconds, which
// only a hanging command takes, for a read from an inbox that stays empty, and for a
// tea.Tick, which only matters to a person who has stopped pressing keys.
func Await(cmd tea.Cmd) (tea.Msg, bool) {
	result, goroutine := make(chan tea.Msg, 1), make(chan string, 1)
	go func() {
		goroutine <- stackOf(false, 64)
		result <- cmd()
	}()
	id, _, _ := strings.Cut(<-goroutine, " [")
	pause := firstPause
	for waited := time.Duration(0); waited < timeout; waited += pause {
		pause = min(2*pause, longestPause)
		select {
		case msg := <-result:
			return msg, true
		case <-time.After(pause):
			if stack := stackOfOne(id); strings.Contains(stack, "bubbletea/v2.Tick") || waited > inboxTimeout && (strings.Contains(stack, ".(*Inbox[") || strings.Contains(stack, "logtail.(*feed).listen")) {
				return nil, false
			}
		}
	}
	return nil, false
}

// stackOf is the stack of this goroutine, or of all, cut to size bytes.
func stackOf(all bool, size int) string {
	stack := make([]byte, size)
	return string(stack[:runtime.Stack(stack, all)])
}

// stackOfOne is the stack of the goroutine with an id such as "goroutine 7".
func stackOfOne(id string) string {
	for stack := range strings.SplitSeq(stackOf(true, 1<<19), "\n\n") {
		if strings.HasPrefix(stack, id+" [") {
			return stack
		}
	}
	return ""
}
