// Package frametest is for tests that press keys on screens.
package frametest

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"gatewright/tui/frame/waiting"
)

const (
	// News is awaited so often, so long: a machine that is slow stretches each of them.
	newsTries, newsPause = 20, 50 * time.Millisecond
	// patience is how long a command may take that does not say that it waits.
	patience = 2 * time.Minute
)

// waits has a channel for each goroutine in which [Await] runs a command, by its number.
var waits sync.Map

func init() {
	waiting.Listen(func(what waiting.What) {
		if heard, ok := waits.Load(goroutine()); ok {
			select {
			case heard.(chan waiting.What) <- what:
			default: // Await knows already.
			}
		}
	})
}

// Await runs a command and returns its message. It returns false for a command that waits for a
// time, which only matters to a person who has stopped pressing keys, and for one that waits for
// news which do not come. A command that does not end otherwise is a panic.
func Await(cmd tea.Cmd) (tea.Msg, bool) {
	result, heard := make(chan tea.Msg, 1), make(chan waiting.What, 1)
	go func() {
		id := goroutine()
		waits.Store(id, heard)
		msg := cmd()
		waits.Delete(id)
		result <- msg
	}()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case msg := <-result:
		select {
		case what := <-heard: // A machine that is slow has let the time pass.
			return msg, what != waiting.Time
		default:
			return msg, true
		}
	case what := <-heard:
		if what == waiting.News {
			return news(result)
		}
		return nil, false
	case <-late.C:
		panic(fmt.Sprintf("the command %s has not ended", runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()))
	}
}

// news returns the message of a command that waits for news, if they come soon.
func news(result <-chan tea.Msg) (tea.Msg, bool) {
	for range newsTries {
		select {
		case msg := <-result:
			return msg, true
		case <-time.After(newsPause):
		}
	}
	return nil, false
}

// goroutine is the number of this goroutine, such as "goroutine 7".
func goroutine() string {
	var stack [64]byte
	id, _, _ := strings.Cut(string(stack[:runtime.Stack(stack[:], false)]), " [")
	return id
}
