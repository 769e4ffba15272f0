package worker

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/traffic"
)

// stampStarts stamps the calls that wait for workers which are on their way. Should another worker get
// one of them, function.Flight.Deliver knows better. The lock is held.
func (p *pool) stampStarts() {
	if len(p.waiting) == 0 {
		return
	}
	starts, launched := 0, false
	for w := range p.workers {
		if w.generation == p.generation && w.state == starting {
			starts++
			launched = launched || w.began != w.made
		}
	}
	for _, i := range p.waiting[:min(starts, len(p.waiting))] {
		i.flight.Now(function.Prepares)
		if launched {
			i.flight.Now(function.Starts)
		}
	}
}

// Running finds the call that a function runs by the trace header that its worker got with it, which
// clients of the cloud send on; nil if there is none.
func (r *Runner) Running(environment, name, trace string) *function.Flight {
	_, root, _ := strings.Cut(trace, "Root=1-")
	_, root, _ = strings.Cut(root, "-")
	root, _, _ = strings.Cut(root, ";")
	p := r.poolOf(environment, name)
	if p == nil || len(root) != traceDigits {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.workers {
		// A worker may be at its next call before its last answer was read.
		for _, i := range [...]*invocation{w.current, w.ahead} {
			if i != nil && i.flight != nil && string(appendDigits(make([]byte, 0, traceDigits), i.id)) == root {
				return i.flight
			}
		}
	}
	return nil
}

func (r *Runner) poolOf(environment, name string) *pool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.pools[key{environment, name}]
}

// leastOpen is how long a call is on its way before it is shown, unless it waits for a worker.
const leastOpen = 50 * time.Millisecond

// Open are the calls that are not answered yet, in the order in which they began. soon says that there are
// others, which came just now.
func (r *Runner) Open() (open []traffic.Open, soon bool) {
	now := time.Now()
	r.mu.RLock()
	pools := slices.Clone(r.leftovers)
	r.mu.RUnlock()
	for _, p := range append(pools, r.all()...) {
		p.mu.Lock()
		add := func(i *invocation, waits bool) {
			switch {
			case i == nil || i.flight == nil || i.answered || i.givenUp || i.flight.IsOver():
			case !waits && now.Sub(i.flight.Began) < leastOpen:
				soon = true
			default:
				f := i.flight
				open = append(open, traffic.Open{
					ID: i.id, Environment: f.Environment, API: f.API, Path: f.Path, Method: f.Method, Function: f.Function,
					Kind: traffic.Kind(f.Kind), Time: f.Began.UTC().Round(0), Stage: traffic.Stage(f, now),
				})
			}
		}
		for _, i := range p.waiting {
			add(i, true)
		}
		for w := range p.workers {
			add(w.current, false)
			add(w.ahead, true)
		}
		p.mu.Unlock()
	}
	slices.SortFunc(open, func(a, b traffic.Open) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.ID, b.ID))
	})
	return open, soon
}

// States are those of all functions, in no order.
func (r *Runner) States() []traffic.FunctionState {
	var all []traffic.FunctionState
	r.mu.RLock()
	for k, why := range r.faults {
		all = append(all, traffic.FunctionState{Environment: k.environment, Name: k.name, Fault: r.options.Logs.Hide(why)})
	}
	r.mu.RUnlock()
	for _, p := range r.all() {
		p.mu.Lock()
		s := traffic.FunctionState{Environment: p.environment, Name: p.name, Waiting: len(p.waiting)}
		for w := range p.workers {
			switch w.state {
			case starting:
				s.Starting++
			case busy:
				s.Busy++
			case idle, between:
				s.Idle++
			case ending:
			}
			if w.ahead != nil {
				s.Waiting++
			}
		}
		if p.lastError != nil && s.Idle+s.Busy == 0 {
			s.Fault = r.options.Logs.Hide(p.lastError.Text)
		}
		p.mu.Unlock()
		all = append(all, s)
	}
	return all
}
