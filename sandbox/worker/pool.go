package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/file/watch"
	"gatewright/model"
	"gatewright/sandbox/function"
)

// mostFailures is how many starts in a row may fail; then none follows until the source
// changes.
const mostFailures = 3

// pool runs one function: it has its workers and the calls that wait for one.
type pool struct {
	runner            *Runner
	environment, name string
	// sources is what is watched, nil before the first start, and stamp what the workers were
	// started from. watching is held while the watching begins; settles means that sourceChanged
	// waits. roots are what is watched.
	watching sync.Mutex
	roots    []string
	sources  atomic.Pointer[watch.Tree]
	stamp    atomic.Uint64
	settles  atomic.Bool

	mu   sync.Mutex
	spec *function.Spec
	// generation counts the states of spec and source. A worker of an earlier generation
	// gets no more calls.
	generation int
	ctx        context.Context // ends with the generation
	cancel     context.CancelFunc
	renewed    time.Time // when a change of the source began it
	// preparing counts the workers of this generation that are not prepared yet; prepared means that
	// one was, settled that its stamp is taken, after which packages of the runtime may be installed.
	preparing         int
	prepared, settled bool
	// growScheduled means that growLater will run.
	growScheduled bool
	failures      int
	lastError     *function.Error

	workers map[*worker]struct{}
	idle    []*worker // without a call; the last used one is last
	// idleEnds means that endIdle will run.
	idleEnds bool
	waiting  []*invocation // nested calls first, then in the order of their calls
	// waiters is how many answers of other functions this function's workers wait for.
	waiters int
	// usualTime is how long calls usually take; aheadCheckSet means that checkAhead will run.
	usualTime     time.Duration
	aheadCheckSet bool
	removed       bool
	// told are the warnings that this generation had.
	told *told
}

// told are the warnings that a generation had, each once: that it exceeds its memory, and that
// it writes into its source.
type told struct{ memory, write atomic.Bool }

func newPool(r *Runner, spec function.Spec) *pool {
	p := &pool{
		runner: r, environment: spec.Environment, name: spec.Name, spec: &spec, workers: map[*worker]struct{}{},
		told: new(told),
	}
	p.ctx, p.cancel = context.WithCancel(r.ctx)
	return p
}

func (p *pool) notify(kind, text string) {
	p.runner.notify(function.Event{Kind: kind, Environment: p.environment, Function: p.name, Text: text})
}

// maxWorkers returns how many workers of the current generation the pool may have.
func (p *pool) maxWorkers() int {
	if p.spec.Inspect {
		return 1
	}
	return p.runner.options.MaxWorkers
}

// accept assigns the invocation to an idle worker, or lets it wait for one.
func (p *pool) accept(i *invocation) (*delivery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.removed {
		return nil, p.failure(function.Closed, "it was removed from the project", "")
	}
	if i.timeout <= 0 {
		i.timeout = p.spec.TimeLimit()
	}
	if len(p.idle) > 0 && p.admits(i) {
		return p.assign(p.lastUsed(), i), nil
	}
	i.waitingSince = time.Now()
	p.queue(i)
	p.grow()
	p.tellPreparing(i)
	p.stampStarts()
	return p.handAhead(), nil
}

// lastUsed takes the idle worker that was used last. The lock is held.
func (p *pool) lastUsed() *worker {
	last := len(p.idle) - 1
	w := p.idle[last]
	p.idle = p.idle[:last]
	return w
}

// forget drops a call that still waits. A call that has begun runs on, and its worker no
// longer counts for the calls that wait.
func (p *pool) forget(i *invocation) {
	p.mu.Lock()
	i.givenUp = true
	for w := range p.workers {
		if w.ahead == i {
			p.takeBack(w)
		}
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(o *invocation) bool { return o == i })
	deliveries := p.assignWaiting()
	p.grow()
	p.mu.Unlock()
	for _, d := range deliveries {
		d.send()
	}
}

// mostGivenUp is how many workers beyond the limit a function may have for calls that their
// callers have given up. The cloud starts further execution environments for the next calls
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html).
const mostGivenUp = 10

// isGivenUp reports whether a worker has a call whose caller no longer waits. The lock is held.
func (w *worker) isGivenUp() bool { return w.hasCall() && w.current.givenUp && !w.spec.Inspect }

// count counts the workers of the current generation: all, the ones that are still
// starting, and the ones that have answered and are about to poll again. Those with a call
// that was given up are not counted, within a limit.
func (p *pool) count() (all, starts, answered int) {
	givenUp := 0
	for w := range p.workers {
		if w.generation != p.generation || w.state == ending {
			continue
		}
		if w.isGivenUp() && givenUp < mostGivenUp {
			givenUp++
			continue
		}
		all++
		switch {
		case w.state == starting:
			starts++
		case w.state == busy && w.current != nil && w.current.answered:
			answered++
		}
	}
	return all, starts, answered
}

// pollPatience is how long to wait for the next poll of a worker that has answered,
// before another one is started. A runtime that waits for the server's 202 polls a
// little later; work that goes on after the answer may take long.
const pollPatience = 10 * time.Millisecond

// grow starts workers for waiting calls. The lock is held.
func (p *pool) grow() {
	_, starts, answered := p.count()
	if answered > 0 && starts < len(p.waiting) && !p.growScheduled {
		p.growScheduled = true
		time.AfterFunc(pollPatience, p.growLater)
	}
	p.startUntil(len(p.waiting) - answered)
	all, _, _ := p.count()
	if all == 0 && len(p.waiting) > 0 {
		refuse(p.waiting, p.stoppedError())
		p.waiting = nil
	}
	refuse(p.takeStuck(), p.throttled(all))
}

// growLater starts workers for the calls that have waited for pollPatience.
func (p *pool) growLater() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.growScheduled = false
	overdue := 0
	for _, i := range p.waiting {
		if time.Since(i.waitingSince) >= pollPatience {
			overdue++
		}
	}
	p.startUntil(overdue)
	if len(p.waiting) > 0 {
		p.grow()
	}
}

// startUntil starts workers until the wanted number is starting, within the limits.
func (p *pool) startUntil(wanted int) {
	all, starts, _ := p.count()
	for starts < wanted && p.mayStart(all, starts) && p.failures < mostFailures && !p.removed {
		p.start()
		all, starts = all+1, starts+1
	}
}

// stoppedError returns the Error of a function that is not started any more.
func (p *pool) stoppedError() *function.Error {
	if p.removed {
		return p.failure(function.Closed, "it was removed from the project", "")
	}
	e := p.failure(function.StoppedTrying, fmt.Sprintf("%d starts in a row failed", p.failures),
		"change the source, and it is started again")
	if p.lastError != nil {
		e.Text += "; the last: " + p.lastError.Text
		e.CloudType, e.CloudText, e.Reported = p.lastError.CloudType, p.lastError.CloudText, p.lastError.Reported
	}
	return e
}

// refuse fails calls that waited for a worker. The lock may be held.
func refuse(waiting []*invocation, e *function.Error) {
	for _, i := range waiting {
		go i.done(function.Answer{RequestID: i.id}, e)
	}
}

func (p *pool) failure(kind function.ErrorKind, text, fix string) *function.Error {
	return &function.Error{Kind: kind, Environment: p.environment, Function: p.name, Text: text, Fix: fix}
}

// serve gives a worker that polls the call that has waited longest, or makes it idle.
// A worker of an earlier generation ends.
func (p *pool) serve(w *worker) *delivery {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.current = nil
	// A call that it has begun runs to its end, also in a removed pool.
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
	if len(p.waiting) > 0 && p.admits(p.waiting[0]) {
		d := p.assign(w, p.nextWaiting())
		p.giveAhead(d)
		return d
	}
	if i := p.reassign(); i != nil {
		return p.assign(w, i)
	}
	w.state, w.idleSince = idle, time.Now()
	p.idle = append(p.idle, w)
	p.runner.options.Changed()
	if !p.idleEnds {
		p.idleEnds = true
		time.AfterFunc(p.runner.options.Idle, p.endIdle)
	}
	return nil
}

// assign gives a call to a worker that has polled. The lock is held.
func (p *pool) assign(w *worker, i *invocation) *delivery {
	c := w.polls[0]
	w.polls = w.polls[1:]
	w.state, w.current, w.polledOn = busy, i, c
	i.worker, i.began = w, time.Now()
	i.init, w.init = w.init, 0
	i.flight.Deliver(i.began, i.init > 0, w.made, w.began)
	p.runner.options.Changed()
	p.runner.wakeSampler()
	if w.spec.Inspect {
		i.deadline = i.began.Add(model.MaxTimeout * time.Second)
	} else {
		i.deadline = i.began.Add(i.timeout)
		w.timer = time.AfterFunc(i.timeout, func() { p.expire(w, i) })
	}
	w.unsent.Add(1)
	return &delivery{worker: w, invocation: i, connection: c, frame: frame{i.began, i.deadline}}
}

// answerPatience is how long to wait for an answer that the worker has probably sent.
const answerPatience = 10 * time.Millisecond

// expire ends a worker at the deadline of its call.
func (p *pool) expire(w *worker, i *invocation) {
	p.mu.Lock()
	if w.current != i || w.state != busy {
		p.mu.Unlock()
		return
	}
	if w.ahead != nil && !p.takeBack(w) {
		// The worker has begun its next call, so it has answered this one or has ended.
		w.timer = time.AfterFunc(answerPatience, func() { p.expire(w, i) })
		p.mu.Unlock()
		return
	}
	late := i.answered
	i.answered = true
	i.flight.Now(function.Returned)
	p.runner.options.Changed()
	w.kill()
	deliveries := p.assignWaiting()
	p.grow()
	p.mu.Unlock()
	for _, d := range deliveries {
		d.send()
	}
	if late {
		w.output.logPlatform(i.id, "the function responded, but was still busy at its deadline; it was ended")
		return
	}
	e := w.failure(function.TimedOut, "no response within "+clock.Took(i.timeout),
		"raise its timeout, or see its log for where it waits")
	e.CloudType = "Sandbox.Timedout"
	e.CloudText = i.id + " Task timed out after " + seconds(i.timeout)
	i.finish(e, e.CloudText)
}

// renew begins a new generation: workers without a call end at once, the others
// after their call. With warm, a worker is started before the first call.
func (p *pool) renew(warm bool) {
	p.generation++
	p.failures, p.lastError, p.preparing, p.told = 0, nil, 0, new(told)
	p.runner.options.Changed()
	p.prepared, p.settled = false, false
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

// end removes the pool: waiting calls fail, and workers without a call end, with force
// all workers. It returns the workers that have not ended yet.
func (p *pool) end(force bool) []*worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.removed = true
	p.unwatch()
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

// endIdle ends workers that had no call for long, and comes again while there are others.
func (p *pool) endIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	after := p.runner.options.Idle
	for len(p.idle) > 0 && !p.spec.Inspect && time.Since(p.idle[0].idleSince) >= after {
		p.idle[0].kill()
		p.idle = p.idle[1:]
	}
	if p.idleEnds = len(p.idle) > 0 && !p.spec.Inspect; p.idleEnds {
		time.AfterFunc(after-time.Since(p.idle[0].idleSince), p.endIdle)
	}
}
