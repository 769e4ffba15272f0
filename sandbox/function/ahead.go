package function

import (
	"slices"
	"time"
)

// A worker whose calls are short is given its next one while it is at the last:
// it need not wait then for the news of its answer to come here and an event to
// go back, which takes as long as a short call. The event waits where the worker
// has not read it, and is taken back when another worker can have it, when the
// call before it takes long after all, and when the worker is ended.

// The conditions for it: how long calls may usually take, after how many calls it
// is known, and how large an event may be in bytes, so that a write never waits.
const (
	shortCall  = 2 * time.Millisecond
	leastCalls = 16
	mostAhead  = 32 << 10
)

// aheadPatience is how long the call before it may take until an event that was
// handed ahead is taken back.
const aheadPatience = 5 * time.Millisecond

// recordDuration counts a call that took so long. The lock is held.
func (p *pool) recordDuration(w *worker, took time.Duration) {
	w.calls++
	p.usualTime += (took - p.usualTime) / 8
}

// mayHaveAhead reports whether a worker that is busy may be given the call i
// behind its own. The lock is held.
func (p *pool) mayHaveAhead(w *worker, i *invocation) bool {
	return w.link != nil && w.ahead == nil && w.generation == p.generation && !p.removed &&
		w.calls >= leastCalls && p.usualTime < shortCall && w.polledOn.link != nil &&
		len(i.payload) <= mostAhead && len(w.current.payload) <= mostAhead &&
		// What a worker has read is known by its id, which callers may give.
		i.id != w.current.id &&
		// Lines that name no request belong to the call that is known to run.
		!w.output.hasPlain.Load()
}

// giveAhead gives the worker of a delivery the next call too. The lock is held.
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

// handAhead gives the call that waits longest to a busy worker, if there is one
// that may have it. The lock is held.
func (p *pool) handAhead() *delivery {
	if len(p.waiting) == 0 {
		return nil
	}
	for w := range p.workers {
		if w.state == busy && !w.current.answered && w.unsent.Load() == 0 && time.Since(w.current.began) < shortCall {
			d := &delivery{worker: w, connection: w.polledOn}
			if p.giveAhead(d); d.ahead != nil {
				return d
			}
		}
	}
	return nil
}

// takeBack takes a worker's next call back and lets it wait before all others. It
// reports whether the worker had not begun it. The lock is held.
func (p *pool) takeBack(w *worker) bool {
	if w.ahead == nil || w.unsent.Load() > 0 || !w.link.takeBack(w.ahead) {
		return false
	}
	p.putBack(w)
	return true
}

// putBack lets the next call of a worker that will not begin it wait before all
// others. The lock is held.
func (p *pool) putBack(w *worker) {
	if w.ahead != nil {
		p.waiting = slices.Insert(p.waiting, 0, w.ahead)
		w.ahead = nil
	}
}

// reassign takes a call back from a busy worker for one that has none. The lock is
// held.
func (p *pool) reassign() *invocation {
	for w := range p.workers {
		if p.takeBack(w) {
			return p.nextWaiting()
		}
	}
	return nil
}

// scheduleAheadCheck looks after the calls ahead from time to time while there are any.
// The lock is held.
func (p *pool) scheduleAheadCheck() {
	if !p.aheadCheckSet {
		p.aheadCheckSet = true
		time.AfterFunc(aheadPatience, p.checkAhead)
	}
}

// checkAhead takes back what waits behind a call that takes long.
func (p *pool) checkAhead() {
	p.mu.Lock()
	p.aheadCheckSet = false
	for w := range p.workers {
		if w.ahead == nil {
			continue
		}
		if time.Since(w.current.began) > aheadPatience {
			p.usualTime = max(p.usualTime, shortCall)
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

// assignWaiting gives calls that wait to workers that have none. The lock is held.
func (p *pool) assignWaiting() (all []*delivery) {
	for len(p.waiting) > 0 && len(p.idle) > 0 {
		all = append(all, p.assign(p.lastUsed(), p.nextWaiting()))
	}
	return all
}
