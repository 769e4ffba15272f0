package frame

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// How often Bubble Tea looks whether there is something to draw: while something
// changes, and while nothing does. It has no setting for the second, and would wake
// sixty times a second for a screen that nobody touches: more than half a percent of
// a processor.
const (
	busyFrames = 120
	busyPace   = time.Second / busyFrames
	restPace   = time.Second / 2
	// restAfter is how long after the last change the looking slows down. What would
	// be missed by that is drawn within restPace.
	restAfter = 100 * time.Millisecond
)

// rest slows the renderer down while nothing changes. It does nothing where the
// renderer's ticker cannot be found; nil does nothing.
type rest struct {
	program *tea.Program
	last    tea.View

	mu    sync.Mutex
	timer *time.Timer
	// pace is how often it looks then, and slow says that it does.
	pace        time.Duration
	slow, ended bool
}

func restOf(p *tea.Program) *rest { return &rest{program: p, pace: restPace} }

// drawn is told of every window that is drawn, in the program's own goroutine.
func (r *rest) drawn(v tea.View) {
	if r == nil || v.Content == r.last.Content && v.WindowTitle == r.last.WindowTitle && v.MouseMode == r.last.MouseMode {
		return
	}
	ticker := tickerOf(r.program)
	if ticker == nil {
		return
	}
	r.last = v
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	// A ticker that is set anew begins its wait anew: with a change now and now it
	// would never come to drawing.
	if r.slow {
		ticker.Reset(busyPace)
		r.slow = false
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	var timer *time.Timer
	timer = time.AfterFunc(restAfter, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		// A later change has a timer of its own.
		if r.timer == timer && !r.ended {
			ticker.Reset(r.pace)
			r.slow = true
		}
	})
	r.timer = timer
}

// renew is told that the renderer was begun anew, after something else had the terminal:
// it looks at its own pace then, until the next window that is drawn.
func (r *rest) renew() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.slow = tea.View{}, false
}

// end leaves the ticker alone from now on.
func (r *rest) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

// tickerOf is the ticker of a program's renderer, which is not exported; nil where
// this version of Bubble Tea has none of that name and type. A test says so then.
func tickerOf(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
