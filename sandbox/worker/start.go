package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gatewright/internal/clock"
	"gatewright/sandbox/function"
)

// start begins a worker of the current generation. The lock is held.
func (p *pool) start() {
	now := time.Now()
	w := &worker{
		pool: p, generation: p.generation, told: p.told, spec: p.spec, state: starting,
		made: now, began: now, ended: make(chan struct{}), finished: make(chan struct{}),
	}
	w.stream = newStream(w.began)
	p.workers[w] = struct{}{}
	p.preparing++
	p.tellPreparing(p.waiting...)
	p.stampStarts()
	p.runner.wakeSampler()
	p.runner.options.Changed()
	go p.run(p.ctx, w)
}

// run prepares and runs a worker until it has ended.
func (p *pool) run(ctx context.Context, w *worker) {
	defer close(w.finished)
	prepared, err := p.runner.preparer.Prepare(ctx, *w.spec, func() { p.settleStamp(w) })
	if err != nil {
		p.settleStamp(w)
	}
	p.mu.Lock()
	if w.generation == p.generation {
		p.preparing--
		p.prepared = p.prepared || err == nil
		p.tellPreparing(p.waiting...)
	}
	p.mu.Unlock()
	if err == nil {
		p.notify(function.EventStart, "a worker is being started")
		p.mu.Lock()
		w.began = time.Now()
		p.stampStarts()
		p.mu.Unlock()
		p.runner.options.Changed()
		err = w.launch(prepared, p.runner.bootstraps)
	}
	if err != nil {
		p.startFailed(w, p.prepareError(w, err))
		w.release()
		return
	}
	limit := p.runner.startLimit(w.spec)
	hung := time.AfterFunc(limit, func() { p.endHung(w) })
	w.wait()
	hung.Stop()
	p.workerEnded(w, limit)
	w.release()
	w.sweep()
}

// settleStamp takes the stamp of the source right before it is copied for the worker: what comes before
// that may take long. After the first copy of a generation every difference is a change.
func (p *pool) settleStamp(w *worker) {
	p.mu.Lock()
	first := w.generation == p.generation && !p.settled
	p.mu.Unlock()
	if !first {
		return
	}
	sources := p.watch(w.spec)
	if sources == nil {
		return
	}
	if why := sources.Refused(); why != "" {
		p.runner.preparer.Warn(w.spec, "changes of its source are found by scanning it, later and with more work: "+why)
	}
	sources.Settle(0)
	stamp := sources.Stamp()
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.generation == p.generation && !p.settled {
		p.stamp.Store(stamp)
		p.settled = true
	}
}

// prepareError returns err as an *Error.
func (p *pool) prepareError(w *worker, err error) *function.Error {
	var known *function.Error
	if errors.As(err, &known) {
		return known
	}
	return w.failure(function.NotPrepared, hide(w.spec, function.OneLine(err.Error())), "see its log for the rest")
}

// endHung kills a worker that does not poll in time.
func (p *pool) endHung(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.state == starting && !w.spec.Inspect && !w.reaped {
		w.hung = true
		w.process.Kill()
	}
}

// ready handles the first poll of a worker. The lock is held.
func (p *pool) ready(w *worker) {
	w.init = time.Since(w.began)
	w.output.forgetStart()
	w.state = between
	if w.generation == p.generation {
		p.failures, p.lastError = 0, nil
	}
}

// startFailed handles the end of a worker that never polled. If its source has changed since, or if the
// runtime brings what it missed, the start is not counted as failed, and the calls wait for the next worker.
func (p *pool) startFailed(w *worker, e *function.Error) {
	p.checkSource(0)
	again := p.runner.preparer.MissedPackage(w.spec, e.Text+e.CloudText)
	p.mu.Lock()
	w.state = ending
	delete(p.workers, w)
	p.runner.options.Changed()
	p.prepared = p.prepared && !again
	if again || w.generation != p.generation || p.removed {
		p.grow()
		p.mu.Unlock()
		return
	}
	// A missing program is not counted as a failed start: it may be installed at any time,
	// and looking for it starts no process, nor does what is known to fail.
	missing := e.Kind == function.NoRuntime || e.Kept
	known := missing && p.lastError != nil && p.lastError.Text == e.Text
	if !missing {
		p.failures++
	}
	p.lastError = e
	stopped := !missing && p.failures == mostFailures
	// Other workers of this generation may still serve the waiting calls.
	var refused []*invocation
	if all, _, _ := p.count(); all == 0 {
		refused, p.waiting = p.waiting, nil
	}
	p.mu.Unlock()
	p.log(w, "", e.Error())
	if !known {
		p.notify(function.EventCrash, e.Text)
	}
	if stopped {
		p.notify(function.EventStopped,
			fmt.Sprintf("%d starts in a row failed: it is not started again until its source changes", mostFailures))
	}
	refuse(refused, e)
}

// log appends a line of the sandbox to the function's log.
func (p *pool) log(w *worker, request, text string) {
	o := w.output
	if o == nil {
		o = newOutput(nil, p.runner.options.Logs, w.spec.Environment, w.spec.Name)
	}
	o.logPlatform(request, text)
}

// workerEnded handles the end of a process, by itself or killed.
func (p *pool) workerEnded(w *worker, limit time.Duration) {
	p.mu.Lock()
	if w.timer != nil {
		w.timer.Stop()
	}
	was, i, reported := w.state, w.current, w.reported
	if was == starting {
		p.mu.Unlock()
		e := w.startError(reported)
		if w.memory.isOver.Load() {
			e = w.overMemory(function.NotStarted)
			e.CloudType, e.CloudText = "Runtime.ExitError", "Error: Runtime exited with error: "+killedWords
		}
		if w.hung {
			e = w.notStarted("it was not ready within "+clock.Took(limit), "check what its source does before the first call")
		}
		p.startFailed(w, e)
		return
	}
	w.state = ending
	delete(p.workers, w)
	p.runner.options.Changed()
	// The worker may have begun its next call, if its last answer was not read.
	begun := w.ahead
	if begun != nil && !w.link.isUnread(begun) {
		w.ahead = nil
		begun.answered, begun.worker, begun.began = true, w, time.Now()
		begun.flight.Deliver(begun.began, false, begun.began, begun.began)
		begun.flight.Now(function.Returned)
	} else {
		begun = nil
		p.putBack(w)
	}
	p.idle = slices.DeleteFunc(p.idle, func(o *worker) bool { return o == w })
	fails := i != nil && !i.answered
	// A call that was not read did not end the process. It fails all the same if the
	// worker never answered a call, because the next worker would probably fail too.
	unread := fails && was == busy && w.calls > 0 && w.polledOn.link != nil && w.link.isUnread(i)
	if unread {
		fails = false
		i.flight.Return()
		p.queueFirst(i)
	}
	if fails {
		i.answered = true
		i.flight.Now(function.Returned)
	}
	closed := p.runner.ctx.Err() != nil
	deliveries := p.assignWaiting()
	p.grow()
	p.mu.Unlock()

	w.measureEnded()
	exit := w.process.exit
	if unread {
		p.log(w, i.id, "the process ended ("+exit+") before it had read this call; another worker gets the call")
	}
	switch {
	case fails && closed:
		i.finish(w.failure(function.Closed, "the sandbox was closed during the call", ""))
	case fails:
		p.notify(function.EventCrash, i.crash(exit).Text)
	case was != ending && w.memory.isOver.Load():
		text := w.overMemory(function.Crashed).Text
		p.log(w, "", text)
		p.notify(function.EventCrash, text)
	case was != ending:
		p.log(w, "", "the process ended between calls ("+exit+")")
		p.notify(function.EventCrash, "its process ended between calls ("+exit+")")
	}
	if begun != nil {
		begun.crash(exit)
	}
	for _, d := range deliveries {
		d.send()
	}
}

// crash fails a call whose process has ended.
func (i *invocation) crash(exit string) *function.Error {
	e := i.exitError(exit)
	i.finish(e, e.CloudText, e.CloudType)
	return e
}

// exitError is the error of a call whose process has ended. Lambda's words are those of its
// emulator (GetErrorResponseWithFormattedErrorMessage in
// https://github.com/aws/aws-lambda-runtime-interface-emulator).
func (i *invocation) exitError(exit string) *function.Error {
	e := i.worker.failure(function.Crashed, "its process ended during the call ("+exit+")", "its log has the last output")
	if i.worker.memory.isOver.Load() {
		e, exit = i.worker.overMemory(function.Crashed), killedWords
	}
	e.CloudType = "Runtime.ExitError"
	e.CloudText = "RequestId: " + i.id + " Error: Runtime exited with error: " + exit
	return e
}
