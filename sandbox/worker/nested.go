package worker

import (
	"fmt"
	"slices"
	"sync"

	"gatewright/sandbox/function"
)

// Functions may call functions and wait for the answer. If a function had no more workers
// than usual, functions that call each other could all wait for workers that wait
// themselves. So a worker that waits for the answer of another function does not count:
// a nested call gets one more. Calls from outside get none, so that many of them do not
// start many workers.

// mostNested is how many workers beyond the limit a function may have: enough for four chains
// of calls in which each calls the same function as often as Lambda allows, 16 times.
const mostNested = 64

// Waiting tells that a function waits for the answer of another one, until over is called.
func (r *Runner) Waiting(environment, name string) (over func()) {
	p := r.poolOf(environment, name)
	if p == nil {
		return func() {}
	}
	p.changeWaiters(1)
	return sync.OnceFunc(func() { p.changeWaiters(-1) })
}

func (p *pool) changeWaiters(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiters += by
	if by > 0 && len(p.waiting) > 0 {
		p.grow()
	}
}

// queue lets a call wait: a nested one before those that are not. The lock is held.
func (p *pool) queue(i *invocation) {
	at := len(p.waiting)
	if i.nested {
		at = p.nestedWaiting()
	}
	p.waiting = slices.Insert(p.waiting, at, i)
}

// queueFirst lets a call wait again, as the first of its kind. The lock is held.
func (p *pool) queueFirst(i *invocation) {
	at := 0
	if !i.nested {
		at = p.nestedWaiting()
	}
	p.waiting = slices.Insert(p.waiting, at, i)
}

// nextWaiting takes the call that has waited longest. The lock is held.
func (p *pool) nextWaiting() *invocation {
	i := p.waiting[0]
	p.waiting[0] = nil
	p.waiting = p.waiting[1:]
	return i
}

// nestedWaiting is how many nested calls wait. The lock is held.
func (p *pool) nestedWaiting() int {
	if n := slices.IndexFunc(p.waiting, func(i *invocation) bool { return !i.nested }); n >= 0 {
		return n
	}
	return len(p.waiting)
}

// mayStart reports whether another worker may be started: within the limit, or beyond it for
// a nested call that no worker is starting for. The lock is held.
func (p *pool) mayStart(all, starts int) bool {
	most := p.maxWorkers()
	if all < most || p.spec.Inspect {
		return all < most
	}
	nested := p.nestedWaiting()
	return starts < nested && all < most+min(p.blocked(), p.runner.mostNested)
}

// admits reports whether an idle worker may get a call. Workers beyond the limit are for nested calls.
// Workers of earlier generations do not count: they get no more calls. The lock is held.
func (p *pool) admits(i *invocation) bool {
	if all, _, _ := p.count(); i.nested || all <= p.maxWorkers() {
		return true
	}
	others := 0
	for w := range p.workers {
		if w.generation == p.generation && w.hasCall() && !w.current.nested && !w.isGivenUp() {
			others++
		}
	}
	return others < p.maxWorkers()
}

// blocked is how many workers wait for the answer of another function. One worker may wait
// for several. The lock is held.
func (p *pool) blocked() int {
	busyWorkers := 0
	for w := range p.workers {
		if w.generation == p.generation && w.hasCall() {
			busyWorkers++
		}
	}
	return min(p.waiters, busyWorkers)
}

// hasCall reports whether a worker has a call that has no answer yet. The lock is held.
func (w *worker) hasCall() bool {
	return w.state == busy && w.current != nil && !w.current.answered
}

// takeStuck takes the nested calls out of the waiting ones if no worker would ever get to
// them: all wait for other functions, and no more may be started. The lock is held.
func (p *pool) takeStuck() []*invocation {
	end := p.nestedWaiting()
	if end == 0 {
		return nil
	}
	if all, starts, _ := p.count(); starts > 0 || p.mayStart(all, starts) || p.blocked() < all {
		return nil
	}
	stuck := slices.Clone(p.waiting[:end])
	p.waiting = slices.Delete(p.waiting, 0, end)
	return stuck
}

func (p *pool) throttled(workers int) *function.Error {
	return p.failure(function.Throttled, fmt.Sprintf("all of its %d workers wait for functions that they called", workers),
		"let fewer calls wait for each other")
}
