package worker

import (
	"fmt"
	"slices"
	"time"

	"gatewright/internal/clock"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// invocation is a call that has no answer yet. The lock of the pool guards answered. Only
// the code that sets answered calls finish, or calls close and later done.
type invocation struct {
	id      string
	payload []byte
	// body is the text that goes apart from the payload; takesApart is that of the Call.
	body       function.Apart
	takesApart bool
	timeout    time.Duration
	// clientContext, qualifier, lineage and nested are those of the Call.
	clientContext, qualifier, lineage string
	nested                            bool
	// done gives the caller the answer. It is never called with a lock held.
	done func(function.Answer, error)
	// preparing is Call.Preparing; waitsForPreparing means that it was called with true.
	preparing         func(bool)
	waitsForPreparing bool
	// flight is that of the Call, which may be nil.
	flight *function.Flight

	worker *worker
	// waitingSince is when the call began to wait for a worker.
	waitingSince, began, deadline time.Time
	init                          time.Duration
	answered                      bool
	// givenUp means that the caller no longer waits.
	givenUp bool
	// isMeasured means that the memory was measured when the handler had ended.
	isMeasured bool
}

// delivery is an invocation that is assigned to a worker, and the poll that it
// answers. It is sent without the lock.
//
// sent means that the worker has the invocation already. ahead is the next invocation of
// the worker; if it is set, invocation may be nil.
type delivery struct {
	worker            *worker
	invocation, ahead *invocation
	connection        *connection
	sent              bool
	frame, aheadFrame frame
}

func (d *delivery) send() {
	if d == nil {
		return
	}
	w := d.worker
	if i := d.invocation; i != nil {
		w.output.setRequest(i.id)
		w.output.logPlatform(i.id, "START RequestId: "+i.id+" Version: $LATEST")
		if d.sent {
			d.connection.pollAnswered()
		} else {
			d.connection.send(i, d.frame, w.spec)
		}
		w.unsent.Add(-1)
	}
	if d.ahead != nil {
		w.link.send(d.ahead, d.aheadFrame, w.spec)
		w.unsent.Add(-1)
	}
}

// mayWait reports whether sending may block until the worker reads: a worker that is
// still busy with work of an earlier call may read late or never.
func (d *delivery) mayWait() bool {
	return d != nil && !d.sent && d.invocation.size() > mostAhead
}

// size is the size in bytes of the event as it goes over a link.
func (i *invocation) size() int { return len(i.payload) + len(i.body.Text) }

// finish ends a call with an error.
func (i *invocation) finish(err error, lines ...string) {
	i.done(i.close(function.Answer{}, lines...), err)
}

// close completes the answer and the log: everything that the worker has written, then
// the lines given, END and REPORT.
func (i *invocation) close(answer function.Answer, lines ...string) function.Answer {
	w := i.worker
	answer.RequestID, answer.Init, answer.Duration = i.id, i.init, time.Since(i.began)
	w.output.drain()
	for _, line := range lines {
		w.output.logPlatform(i.id, line)
	}
	answer.MaxMemory = megabytes(i.measureAfter(answer.Duration))
	if w.memory.isOver.Load() {
		answer.MaxMemory = w.spec.MemoryLimit()
	}
	i.tellMemory(answer.MaxMemory)
	w.output.logPlatform(i.id, "END RequestId: "+i.id)
	w.output.logPlatform(i.id, reportLine(i.id, w.spec.MemoryLimit(), answer))
	return answer
}

// reportLine returns Lambda's REPORT line, without the memory used if that is unknown.
func reportLine(id string, memory int, a function.Answer) string {
	init := ""
	if a.Init > 0 {
		init = fmt.Sprintf("Init Duration: %.2f ms\t", milliseconds(a.Init))
	}
	used := ""
	if a.MaxMemory > 0 {
		used = fmt.Sprintf("\tMax Memory Used: %d MB", a.MaxMemory)
	}
	duration := milliseconds(a.Duration)
	return fmt.Sprintf("REPORT RequestId: %s\t%sDuration: %.2f ms\tBilled Duration: %d ms\tMemory Size: %d MB%s",
		id, init, duration, (a.Duration+time.Millisecond-1)/time.Millisecond, memory, used)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// next handles a poll: the worker has started, or it has completed its last call.
func (w *worker) next(c *connection) {
	p := w.pool
	p.mu.Lock()
	running := w.state == busy && !w.current.answered
	if w.state == ending || running && c == w.polledOn || slices.Contains(w.polls, c) {
		p.mu.Unlock()
		c.reply(refusedState)
		return
	}
	c.pending.Store(true)
	w.polls = append(w.polls, c)
	started := w.state == starting
	if started {
		p.ready(w)
	}
	init := w.init
	p.runner.options.Changed()
	var d *delivery
	// A second poll of a runtime that asks in parallel waits for the next call.
	if !running && w.state != idle {
		d = p.serve(w)
	}
	p.mu.Unlock()
	if d.mayWait() {
		c.notifyCaller()
	}
	d.send()
	if started {
		p.notify(function.EventReady, "started in "+clock.Took(init))
	}
}

// initError handles the report of a runtime that could not start and ends itself.
func (w *worker) initError(q *request) refusal {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	if w.state != starting || w.reported != nil {
		return refusedState
	}
	q.body = []byte(w.output.named(string(q.body)))
	w.reported = readReport(q)
	// If it does not end, it is killed.
	time.AfterFunc(time.Second, func() {
		w.pool.mu.Lock()
		defer w.pool.mu.Unlock()
		if w.state == starting && !w.reaped {
			w.process.Kill()
		}
	})
	return refusal{}
}

// outcome is the answer to a call that its caller has not received yet.
type outcome struct {
	invocation *invocation
	answer     function.Answer
	err        error
}

func (e *outcome) notify() {
	if e != nil {
		e.invocation.done(e.answer, e.err)
	}
}

// complete handles the result or the error that a worker posts for its call. The caller
// gets it later, when the worker has its next event.
func (w *worker) complete(id string, failed bool, q *request, tooLarge bool, limit int) (*outcome, refusal) {
	p := w.pool
	p.mu.Lock()
	i := w.current
	switch {
	case i == nil || i.id != id:
		p.mu.Unlock()
		return nil, refusedID
	case i.answered || w.state != busy:
		p.mu.Unlock()
		return nil, refusedState
	}
	i.answered = true
	now := time.Now()
	i.flight.Stamp(function.Returned, now)
	p.recordDuration(w, now.Sub(i.began))
	p.mu.Unlock()

	refused, end := refusal{}, &outcome{invocation: i}
	if tooLarge || q.apart.Exceeds(q.body, limit) {
		refused = refusedSize(limit)
		e := w.failure(function.TooLarge, fmt.Sprintf("the result is larger than %d bytes", limit),
			"return less, or a link to it")
		e.CloudType = "Function.ResponseSizeTooLarge"
		e.CloudText = fmt.Sprintf("Response payload size exceeded maximum allowed payload size (%d bytes).", limit)
		end.answer, end.err = i.close(function.Answer{}, e.CloudText), e
	} else if p.runner.options.StrictMemory && exceeds(w.spec, i.measure()) {
		end = i.answerOver()
	} else {
		if failed {
			if q.apart.Text == nil {
				q.body = []byte(w.output.named(string(q.body)))
			}
			w.output.tellFailure(id, q.body)
			if what, fix := prepare.AdviceForModule(w.spec, w.original(), w.output.copied, string(q.body)); what != "" {
				w.output.tellSource(id, what+"; "+fix)
			}
		}
		// The trailers of an incomplete streamed response have the error.
		answer := function.Answer{Payload: q.body, Body: q.apart, Failed: failed || q.errorType != ""}
		if !i.takesApart {
			answer.Payload, answer.Body = q.apart.Into(q.body), function.Apart{}
		}
		end.answer = i.close(answer)
	}

	p.mu.Lock()
	var d *delivery
	if w.state == busy && len(w.polls) > 0 {
		d = p.serve(w)
	}
	p.mu.Unlock()
	d.send()
	return end, refused
}
