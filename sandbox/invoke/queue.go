package invoke

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// queue are the calls that nobody waits for: those that wait for a worker, run, or wait for
// their next attempt.
type queue struct {
	// ctx ends with Close.
	ctx context.Context
	end context.CancelFunc

	running sync.WaitGroup
	// slots has a channel for each function: a value in it for each of its calls that were
	// given to the Runner.
	slots sync.Map

	mu     sync.Mutex
	closed bool
	calls  int
	bytes  int
}

// The limits of a queue, so that a function that calls more than can run does not fill the
// memory.
const (
	mostCalls = 10_000
	mostBytes = 64 << 20
	// mostGiven is how many calls of one function are given to the Runner at once, so that
	// calls for which somebody waits come soon.
	mostGiven = 10
)

// add makes room for a call; it is a refusal if there is none.
func (l *queue) add(size int) *fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return &fault{
			status: http.StatusInternalServerError, code: serviceFailed,
			text: "the sandbox is closed; start it again",
		}
	case l.calls >= mostCalls || l.bytes+size > mostBytes:
		return &fault{
			status: http.StatusTooManyRequests, code: tooMany, text: "Rate Exceeded.", reason: "CallerRateLimitExceeded",
			note: fmt.Sprintf("%d calls wait for functions already (%d KB), and no more are taken; let the functions end "+
				"sooner, or call fewer", l.calls, l.bytes>>10),
		}
	}
	l.calls++
	l.bytes += size
	l.running.Add(1)
	return nil
}

func (l *queue) remove(size int) {
	l.mu.Lock()
	l.calls--
	l.bytes -= size
	l.mu.Unlock()
	l.running.Done()
}

// close lets the calls that run end until ctx ends. Those that wait for another attempt are
// dropped.
func (l *queue) close(ctx context.Context) {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.end()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.running.Wait()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// slot waits until a function may get another call; it is false if the queue is closed first.
func (l *queue) slot(f Function) (free func(), ok bool) {
	made, _ := l.slots.LoadOrStore(f, make(chan struct{}, mostGiven))
	slots, _ := made.(chan struct{})
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, true
	default:
	}
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, true
	case <-l.ctx.Done():
		return nil, false
	}
}

// enqueue takes a call that nobody waits for.
func (s *Service) enqueue(q *request) *fault {
	if refused := s.queue.add(len(q.payload)); refused != nil {
		return refused
	}
	// Lambda passes the client context only to calls that somebody waits for.
	q.context = ""
	go func() {
		defer s.queue.remove(len(q.payload))
		s.attempts(q)
	}()
	return nil
}

// attempts calls a function until it does not fail: like Lambda at most three times
// (https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html).
func (s *Service) attempts(q *request) {
	most := len(s.options.Pauses) + 1
	for attempt := 1; ; attempt++ {
		free, ok := s.queue.slot(q.called)
		if !ok {
			s.tell(q, logs.Warn, "this call, which nobody waits for, is dropped: the sandbox ends before it begins")
			return
		}
		q.begins()
		// A call that has begun ends by itself: its context does not end with the queue.
		answer, err := s.call(context.Background(), q)
		free()
		s.keep(q, answer, err)
		if err == nil && !answer.Failed {
			return
		}
		var failed *function.Error
		if errors.As(err, &failed) && (failed.Kind == function.Closed || failed.Kind == function.NoFunction) {
			s.tell(q, logs.Warn, "this call, which nobody waits for, is dropped: "+failed.Text)
			return
		}
		why := "it ended with an error"
		if err != nil {
			why = err.Error()
		}
		if attempt == most {
			text := fmt.Sprintf("this call, which nobody waits for, failed %d times and is dropped, as in Lambda: %s", most, why)
			s.tell(q, logs.Warn, text)
			s.options.Notify(function.Event{
				Kind: function.EventWarning, Environment: q.called.Environment,
				Function: q.called.Name, Text: text,
			})
			return
		}
		pause := s.options.Pauses[attempt-1]
		s.tell(q, logs.Warn, fmt.Sprintf(
			"attempt %d of %d of this call, which nobody waits for, failed (%s); it is tried again in %s, in Lambda in %s",
			attempt, most, why, clock.Took(pause), phrase.Count(attempt, "minute"),
		))
		select {
		case <-time.After(pause):
		case <-s.queue.ctx.Done():
			s.tell(q, logs.Warn, "this call, which nobody waits for, is dropped: the sandbox ends before the next attempt")
			return
		}
	}
}
