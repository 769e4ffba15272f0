package worker

import (
	"sync"

	"gatewright/sandbox/function"
)

// mostPrepared is how many functions are prepared at the same time: each runs a package
// manager or a compiler, which use several processors themselves.
const mostPrepared = 3

// Prepare makes functions of an environment ready before their first call: it installs
// their packages and builds their programs, several at a time, and returns at once. What
// fails is reported as an Event, and tried again by the next call.
func (r *Runner) Prepare(environment string, functions []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.ctx.Err() != nil {
		return
	}
	for _, name := range functions {
		if p := r.pools[key{environment, name}]; p != nil {
			r.preparations.Go(func() {
				r.preparations.slots <- struct{}{}
				defer func() { <-r.preparations.slots }()
				p.prepare()
			})
		}
	}
}

// preparations are the goroutines of Prepare.
type preparations struct {
	sync.WaitGroup
	slots chan struct{}
}

// prepare prepares the present state of the function, unless a worker did.
func (p *pool) prepare() {
	p.mu.Lock()
	ctx, spec, done := p.ctx, *p.spec, p.settled || p.removed
	p.mu.Unlock()
	if done || ctx.Err() != nil {
		return
	}
	if _, err := p.runner.preparer.Prepare(ctx, spec, nil); err != nil && ctx.Err() == nil && !p.isStarted() {
		text := err.Error()
		if e, ok := err.(*function.Error); ok {
			text = e.Text
			if e.Fix != "" {
				text += "; " + e.Fix
			}
		}
		p.notify(function.EventWarning, text)
	}
}

// isStarted reports whether a call has started a worker, which tells itself why it fails.
func (p *pool) isStarted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.settled || p.preparing > 0 || p.failures > 0
}

// tellPreparing tells waiting calls whether the function is being prepared. The lock is held.
func (p *pool) tellPreparing(waiting ...*invocation) {
	is := p.preparing > 0 && !p.prepared
	for _, i := range waiting {
		if i.preparing != nil && i.waitsForPreparing != is {
			i.waitsForPreparing = is
			i.preparing(is)
		}
	}
}

// Inspects reports whether a function runs with a debugger (Spec.Inspect).
func (r *Runner) Inspects(environment, name string) bool {
	p := r.poolOf(environment, name)
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spec.Inspect
}
