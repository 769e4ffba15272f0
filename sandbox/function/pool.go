package function

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/model"
)

// mostFailures is how many starts in a row may fail until the source changes.
const mostFailures = 3

// pool runs one function: its workers, those of them without a call, and the
// calls that wait for one.
type pool struct {
	runner            *Runner
	environment, name string
	// checking is held by the one who looks at the source; looked is when that was
	// last done, lookCost how long it took (both nanoseconds).
	checking             sync.Mutex
	checkedAt, checkCost atomic.Int64

	mu   sync.Mutex
	spec *Spec
	// generation counts the states of spec and source. A worker of an earlier one
	// gets no more calls.
	generation int
	ctx        context.Context // ends with the generation
	cancel     context.CancelFunc
	stamp      string
	// preparing workers of this generation have not been launched yet; launched
	// says that one was.
	preparing int
	launched  bool
	// growScheduled says that the pool is looked at again in a moment (askAgain).
	growScheduled bool
	failures      int
	lastError     *Error

	workers map[*worker]struct{}
	idle    []*worker     // the one that had a call last is last
	waiting []*invocation // the one that waits longest is first
	// usualTime is how long calls take, looking says that calls ahead are looked after.
	usualTime     time.Duration
	aheadCheckSet bool
	removed       bool
}

func newPool(r *Runner, spec Spec) *pool {
	p := &pool{runner: r, environment: spec.Environment, name: spec.Name, spec: &spec, workers: map[*worker]struct{}{}}
	p.ctx, p.cancel = context.WithCancel(r.ctx)
	return p
}

func (p *pool) notify(kind, text string) {
	p.runner.notify(Event{kind, p.environment, p.name, text})
}

// maxWorkers is how many workers of the current generation there may be.
func (p *pool) maxWorkers() int {
	if p.spec.Inspect {
		return 1
	}
	return p.runner.options.MaxWorkers
}

// accept gives the invocation to a worker without a call, or lets it wait for one.
func (p *pool) accept(i *invocation) (*delivery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.removed {
		return nil, p.failure(Closed, "it is not served any more", "")
	}
	if i.timeout <= 0 {
		i.timeout = p.spec.timeout()
	}
	if len(p.idle) > 0 {
		return p.assign(p.lastUsed(), i), nil
	}
	i.waitingSince = time.Now()
	p.waiting = append(p.waiting, i)
	p.grow()
	return p.handAhead(), nil
}

// nextWaiting takes the call that waits longest. The lock is held.
func (p *pool) nextWaiting() *invocation {
	i := p.waiting[0]
	p.waiting[0] = nil
	p.waiting = p.waiting[1:]
	return i
}

// lastUsed takes the worker without a call that had one last. The lock is held.
func (p *pool) lastUsed() *worker {
	last := len(p.idle) - 1
	w := p.idle[last]
	p.idle = p.idle[:last]
	return w
}

// forget forgets a call that still waits; one that has begun runs on.
func (p *pool) forget(i *invocation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		if w.ahead == i {
			p.takeBack(w)
		}
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(o *invocation) bool { return o == i })
}

// count counts the workers that serve the current generation, those of them that
// are still starting, and those that have answered and are about to ask again.
func (p *pool) count() (all, starts, answered int) {
	for w := range p.workers {
		if w.generation != p.generation || w.state == ending {
			continue
		}
		all++
		switch {
		case w.state == starting:
			starts++
		case w.state == busy && w.current.answered:
			answered++
		}
	}
	return all, starts, answered
}

// pollPatience is how long a worker that has answered is waited for before another is
// started in its place. A runtime that waits for the server's 202 asks a little
// later; work that goes on after the answer may take long.
const pollPatience = 10 * time.Millisecond

// grow starts workers for the calls that wait. The lock is held.
func (p *pool) grow() {
	_, starts, answered := p.count()
	if answered > 0 && starts < len(p.waiting) && !p.growScheduled {
		p.growScheduled = true
		time.AfterFunc(pollPatience, p.growLater)
	}
	p.startUntil(len(p.waiting) - answered)
	if all, _, _ := p.count(); all == 0 && len(p.waiting) > 0 {
		refuse(p.waiting, p.stoppedError())
		p.waiting = nil
	}
}

// growLater starts workers for the calls that have waited long enough for one that
// has answered.
func (p *pool) growLater() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.growScheduled = false
	patient := 0
	for _, i := range p.waiting {
		if time.Since(i.waitingSince) >= pollPatience {
			patient++
		}
	}
	p.startUntil(patient)
	if len(p.waiting) > 0 {
		p.grow()
	}
}

// startUntil starts workers until so many are starting, as far as there may be.
func (p *pool) startUntil(wanted int) {
	all, starts, _ := p.count()
	for starts < wanted && all < p.maxWorkers() && p.failures < mostFailures && !p.removed {
		p.start()
		all, starts = all+1, starts+1
	}
}

// stoppedError is the Error of a function that is not started any more.
func (p *pool) stoppedError() *Error {
	if p.removed {
		return p.failure(Closed, "it is not served any more", "")
	}
	e := p.failure(StoppedTrying, fmt.Sprintf("%d starts in a row failed", p.failures), "change the source, then it is tried again")
	if p.lastError != nil {
		e.Text += "; the last: " + p.lastError.Text
		e.CloudType, e.CloudText = p.lastError.CloudType, p.lastError.CloudText
	}
	return e
}

// refuse fails calls that waited for a worker. It may be called with the lock held.
func refuse(waiting []*invocation, e *Error) {
	for _, i := range waiting {
		go i.done(Answer{RequestID: i.id}, e)
	}
}

func (p *pool) failure(kind ErrorKind, text, fix string) *Error {
	return &Error{Kind: kind, Environment: p.environment, Function: p.name, Text: text, Fix: fix}
}

// serve gives a worker that asks for an event the call that waits longest, or lets
// it wait. One of an earlier generation ends.
func (p *pool) serve(w *worker) *delivery {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.current = nil
	// One that it has begun runs to its end even where nothing is served any more.
	if i := w.ahead; i != nil && !(p.removed && p.takeBack(w)) {
		w.ahead = nil
		written := w.unsent.Load() == 0
		d := p.assign(w, i)
		d.sent = true
		if written {
			p.giveAhead(d)
		}
		return d
	}
	if w.generation != p.generation || p.removed {
		w.kill()
		p.grow()
		return nil
	}
	if len(p.waiting) > 0 {
		d := p.assign(w, p.nextWaiting())
		p.giveAhead(d)
		return d
	}
	if i := p.reassign(); i != nil {
		return p.assign(w, i)
	}
	w.state, w.idleSince = idle, time.Now()
	p.idle = append(p.idle, w)
	return nil
}

// assign makes the call the worker's. The worker has polled.
func (p *pool) assign(w *worker, i *invocation) *delivery {
	c := w.polls[0]
	w.polls = w.polls[1:]
	w.state, w.current, w.polledOn = busy, i, c
	i.worker, i.began = w, time.Now()
	i.init, w.init = w.init, 0
	if w.spec.Inspect {
		i.deadline = i.began.Add(model.MaxTimeout * time.Second)
	} else {
		i.deadline = i.began.Add(i.timeout)
		w.timer = time.AfterFunc(i.timeout, func() { p.expire(w, i) })
	}
	w.unsent.Add(1)
	return &delivery{worker: w, invocation: i, connection: c, frame: frame{i.began, i.deadline}}
}

// answerPatience is how long an answer that is on the way is waited for.
const answerPatience = 10 * time.Millisecond

// expire ends a worker at the deadline of its call.
func (p *pool) expire(w *worker, i *invocation) {
	p.mu.Lock()
	if w.current != i || w.state != busy {
		p.mu.Unlock()
		return
	}
	if w.ahead != nil && !p.takeBack(w) {
		// It has begun the next one, so that its answer is on the way; or its end is.
		w.timer = time.AfterFunc(answerPatience, func() { p.expire(w, i) })
		p.mu.Unlock()
		return
	}
	late := i.answered
	i.answered = true
	w.kill()
	deliveries := p.assignWaiting()
	p.grow()
	p.mu.Unlock()
	for _, d := range deliveries {
		d.send()
	}
	if late {
		w.output.logPlatform(i.id, "the function answered, but was still busy at its deadline; it was ended")
		return
	}
	e := w.failure(TimedOut, "no answer within "+seconds(i.timeout), "raise its timeout, or see its log for where it waits")
	e.CloudType = "Sandbox.Timedout"
	e.CloudText = i.id + " Task timed out after " + seconds(i.timeout)
	i.finish(e, e.CloudText)
}

// renew begins a new generation: workers without a call end at once, the others
// after their call. warm starts a worker before anybody calls.
func (p *pool) renew(warm bool) {
	p.generation++
	p.failures, p.lastError, p.preparing, p.launched = 0, nil, 0, false
	p.cancel()
	p.ctx, p.cancel = context.WithCancel(p.runner.ctx)
	p.idle = nil
	for w := range p.workers {
		if w.ahead != nil {
			p.takeBack(w)
		}
		if w.state == idle || w.state == starting || w.state == between {
			w.kill()
		}
	}
	if warm && len(p.waiting) == 0 && !p.removed {
		p.start()
	}
	p.grow()
}

// end stops serving: waiting calls fail, workers without a call end, and with
// force all of them. It returns what there is to wait for.
func (p *pool) end(force bool) []*worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.removed = true
	p.renew(false)
	p.cancel()
	for w := range p.workers {
		if force {
			w.kill()
		}
	}
	p.grow()
	return slices.Collect(maps.Keys(p.workers))
}

// endIdle ends workers that had no call for long.
func (p *pool) endIdle(than time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.spec.Inspect {
		return
	}
	for len(p.idle) > 0 && time.Since(p.idle[0].idleSince) > than {
		p.idle[0].kill()
		p.idle = p.idle[1:]
	}
}
