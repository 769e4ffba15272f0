package worker

import "time"

// A worker whose calls are short gets its next event while it works on the current call.
// Otherwise it would wait after each answer until the next event arrives, which takes as
// long as a short call. As long as the worker has not read the event, it can be taken
// back: if another worker becomes idle, if the current call takes long after all, or if
// the worker is killed.

// The conditions for a call ahead: how long calls may usually take, after how many
// calls that is known, and the largest event in bytes, so that a write never blocks.
const (
	shortCall  = 2 * time.Millisecond
	leastCalls = 16
	mostAhead  = 32 << 10
)

// aheadPatience is how long a call may take before the event behind it is taken back.
const aheadPatience = 5 * time.Millisecond

// recordDuration adds a call's duration to the usual time. The lock is held.
func (p *pool) recordDuration(w *worker, took time.Duration) {
	w.calls++
	p.usualTime += (took - p.usualTime) / 8
}

// mayHaveAhead reports whether a busy worker may get the call i behind its current one.
// The lock is held.
func (p *pool) mayHaveAhead(w *worker, i *invocation) bool {
	return w.link != nil && !p.runner.options.StrictMemory && w.ahead == nil &&
		w.generation == p.generation && !p.removed &&
		w.calls >= leastCalls && p.usualTime < p.runner.shortCall && w.polledOn.link != nil &&
		i.size() <= mostAhead && w.current.size() <= mostAhead &&
		// Events are found by id, which callers may choose.
		i.id != w.current.id &&
		// Lines without a request id are logged for the running call, so only one may run.
		!w.output.hasPlain.Load()
}

// giveAhead adds the next waiting call to a delivery, if possible. The lock is held.
func (p *pool) giveAhead(d *delivery) {
	w := d.worker
	if len(p.waiting) == 0 || !p.mayHaveAhead(w, p.waiting[0]) {
		return
	}
	if all, starts, _ := p.count(); starts > 0 || all < p.maxWorkers() && p.failures < mostFailures {
		return
	}
	i := p.nextWaiting()
	w.ahead, d.ahead = i, i
	now := time.Now()
	d.aheadFrame = frame{now, now.Add(i.timeout)}
	w.unsent.Add(1)
	p.scheduleAheadCheck()
}

// handAhead gives the call that has waited longest to a busy worker that may have it.
// The lock is held.
func (p *pool) handAhead() *delivery {
	if len(p.waiting) == 0 {
		return nil
	}
	for w := range p.workers {
		if w.state == busy && !w.current.answered && w.unsent.Load() == 0 &&
			time.Since(w.current.began) < p.runner.shortCall {
			d := &delivery{worker: w, connection: w.polledOn}
			if p.giveAhead(d); d.ahead != nil {
				return d
			}
		}
	}
	return nil
}

// takeBack puts a worker's next call at the front of the waiting calls again. It is
// false if the worker has begun the call. The lock is held.
func (p *pool) takeBack(w *worker) bool {
	if w.ahead == nil || w.unsent.Load() > 0 || !w.link.takeBack(w.ahead) {
		return false
	}
	p.putBack(w)
	return true
}

// putBack puts the next call of a worker, which will not begin it, at the front of the
// waiting calls. The lock is held.
func (p *pool) putBack(w *worker) {
	if w.ahead != nil {
		p.queueFirst(w.ahead)
		w.ahead = nil
	}
}

// reassign takes a call back from a busy worker, for an idle one. The lock is held.
func (p *pool) reassign() *invocation {
	for w := range p.workers {
		if w.ahead != nil && p.admits(w.ahead) && p.takeBack(w) {
			return p.nextWaiting()
		}
	}
	return nil
}

// scheduleAheadCheck runs checkAhead after aheadPatience, which repeats that while there
// are calls ahead. The lock is held.
func (p *pool) scheduleAheadCheck() {
	if !p.aheadCheckSet {
		p.aheadCheckSet = true
		time.AfterFunc(p.runner.aheadPatience, p.checkAhead)
	}
}

// checkAhead takes back the calls that wait behind a long one.
func (p *pool) checkAhead() {
	p.mu.Lock()
	p.aheadCheckSet = false
	for w := range p.workers {
		if w.ahead == nil {
			continue
		}
		if time.Since(w.current.began) > p.runner.aheadPatience {
			p.usualTime = max(p.usualTime, p.runner.shortCall)
			p.takeBack(w)
		}
		p.scheduleAheadCheck()
	}
	deliveries := p.assignWaiting()
	p.grow()
	p.mu.Unlock()
	for _, d := range deliveries {
		d.send()
	}
}

// assignWaiting gives waiting calls to idle workers. The lock is held.
func (p *pool) assignWaiting() (all []*delivery) {
	for len(p.waiting) > 0 && len(p.idle) > 0 && p.admits(p.waiting[0]) {
		all = append(all, p.assign(p.lastUsed(), p.nextWaiting()))
	}
	return all
}
