package frame

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// How often Bubble Tea's renderer checks whether there is something to draw, while messages
// come and while none does. Bubble Tea has one rate for both, and would use
// more than half a percent of a processor for a screen that nobody touches.
const (
	// busyFrames is the most that Bubble Tea takes. busyPace is shorter: it is what a key
	// waits for before its frame is drawn.
	busyFrames = 120
	busyPace   = time.Second / 250
	restPace   = time.Second / 2
	idlePace   = 10 * time.Second
	// restAfter is how long after the last message the renderer slows down to restPace, and
	// idleAfter how long after that to idlePace. What is missed is drawn then.
	restAfter = 40 * time.Millisecond
	idleAfter = 3 * time.Second
)

// throttle slows the renderer down while no message comes. It does nothing if
// it is nil or if the renderer's ticker cannot be found.
type throttle struct {
	program *tea.Program

	mu    sync.Mutex
	timer *time.Timer
	// pace is the interval of the slow renderer, and slow says that it is in use.
	pace        time.Duration
	slow, ended bool
}

func newThrottle(p *tea.Program) *throttle { return &throttle{program: p, pace: restPace} }

// viewDrawn is called after every View, in Bubble Tea's main goroutine; mayDiffer is false if there
// is nothing to draw. What a message writes next to the View, such as text for the clipboard, waits
// for the renderer too.
func (r *throttle) viewDrawn(mayDiffer bool) {
	if r == nil {
		return
	}
	ticker := rendererTicker(r.program)
	if ticker == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || r.slow && !mayDiffer {
		return
	}
	// Reset restarts the interval of the ticker: a Reset at every change of a busy window
	// would put off the drawing forever.
	if r.slow {
		ticker.Reset(busyPace)
		r.slow = false
	}
	if r.timer != nil {
		r.timer.Stop()
	}
	r.later(restAfter, func() {
		ticker.Reset(r.pace)
		r.slow = true
		r.later(idleAfter, func() { ticker.Reset(max(r.pace, idlePace)) })
	})
}

// later does something after a time without a message. The lock is held, also by do.
func (r *throttle) later(after time.Duration, do func()) {
	var timer *time.Timer
	timer = time.AfterFunc(after, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		// A later message has set another timer.
		if r.timer == timer && !r.ended {
			do()
		}
	})
	r.timer = timer
}

// reset is called after another program had the terminal: Bubble Tea has started a new
// renderer then, at full rate.
func (r *throttle) reset() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slow = false
}

// stop makes the throttle leave the ticker alone.
func (r *throttle) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	if r.timer != nil {
		r.timer.Stop()
	}
}

// rendererTicker is the ticker of a program's renderer, which is not exported; nil if
// this version of Bubble Tea has no field of that name and type. A test fails then.
func rendererTicker(p *tea.Program) *time.Ticker {
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
