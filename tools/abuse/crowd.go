//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// crowd holds many connections and uses them all at once, beside slow clients,
// while a few others make ordinary calls, which go on until the last slow client
// is let go.
func crowd(ctx context.Context, o options, s *sandbox, l *ledger) error {
	if o.crowd == 0 {
		return nil
	}
	const calm = 5 * time.Second
	before, err := l.callFor(ctx, s, "before", func() { wait(ctx, calm) })
	if err != nil {
		return err
	}
	l.report.saw("ordinary calls, 4 callers, before that", "%v", before)
	meanwhile, err := l.callFor(ctx, s, "beside", func() {
		var all sync.WaitGroup
		all.Go(func() { l.holdConnections(ctx, s, o.crowd) })
		all.Go(func() { l.beSlow(ctx, s) })
		all.Wait()
	})
	if err != nil {
		return err
	}
	l.report.saw("ordinary calls beside the crowd and the slow", "%v", meanwhile)
	return s.isUp()
}

// wait waits, but not longer than until the context ends.
func wait(ctx context.Context, span time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}

// spans are how long calls took.
type spans []time.Duration

// String says how many there are, and how long they took.
func (s spans) String() string {
	if len(s) == 0 {
		return "none"
	}
	slices.Sort(s)
	at := func(percent int) time.Duration { return s[(len(s)-1)*percent/100].Round(time.Microsecond) }
	return fmt.Sprintf("%d: half within %v, 99%% within %v, all within %v", len(s), at(50), at(99), at(100))
}

// callFor makes ordinary calls by a few callers until something is done, with a
// little rest between them.
func (l *ledger) callFor(ctx context.Context, s *sandbox, tag string, do func()) (spans, error) {
	const callers, pause = 4, 5 * time.Millisecond
	calling, end := context.WithCancel(ctx)
	defer end()
	next := plan{tag: tag, functions: l.project.functions, calm: true}.numbered()
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		took  spans
		fails error
	)
	for range callers {
		all.Go(func() {
			c := &caller{sandbox: s}
			defer c.hangUp()
			for calling.Err() == nil {
				r := next()
				a, err := c.ask(l, r)
				if err != nil {
					c.hangUp()
					err = l.lose(r, err)
				}
				mu.Lock()
				fails = errors.Join(fails, err)
				if !a.received.IsZero() {
					took = append(took, a.received.Sub(a.sent))
				}
				mu.Unlock()
				if err != nil {
					return
				}
				wait(calling, pause)
			}
		})
	}
	do()
	end()
	all.Wait()
	return took, fails
}

// holdConnections opens many connections, has each make a call at the same moment,
// some times over, and holds them for a while.
func (l *ledger) holdConnections(ctx context.Context, s *sandbox, many int) {
	const rounds, held = 3, 5 * time.Second
	next := plan{tag: "crowd", functions: l.project.functions, calm: true}.numbered()
	callers := make([]*caller, many)
	for i := range callers {
		callers[i] = &caller{sandbox: s}
		defer callers[i].hangUp()
	}
	// The first round opens them.
	var took []time.Duration
	answered := 0
	for range rounds {
		var (
			all sync.WaitGroup
			mu  sync.Mutex
		)
		at := make(chan struct{})
		for _, c := range callers {
			r := next()
			all.Go(func() {
				<-at
				if _, err := c.ask(l, r); err != nil {
					_ = l.lose(r, err)
					return
				}
				mu.Lock()
				answered++
				mu.Unlock()
			})
		}
		began := time.Now()
		close(at)
		all.Wait()
		took = append(took, time.Since(began).Round(time.Millisecond))
		wait(ctx, held)
	}
	l.report.judge(fmt.Sprintf("calls over %d connections at once", many), fmt.Sprintf("%d answered, in %v", answered, took),
		fmt.Sprintf("all of %d", rounds*many), answered == rounds*many)
}
