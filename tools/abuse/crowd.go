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

// crowd opens many connections and uses them all at once, together with slow clients, and
// measures ordinary calls meanwhile, until the last slow client is disconnected.
func crowd(ctx context.Context, o options, s *sandbox, l *ledger) error {
	if o.crowd == 0 {
		return nil
	}
	const quiet = 5 * time.Second
	before, err := l.callWhile(ctx, s, "before", func() { sleep(ctx, quiet) })
	if err != nil {
		return err
	}
	l.report.saw("ordinary calls, 4 callers, before that", "%v", before)
	meanwhile, err := l.callWhile(ctx, s, "beside", func() {
		var all sync.WaitGroup
		all.Go(func() { l.holdConnections(ctx, s, o.crowd) })
		all.Go(func() { l.beSlow(ctx, s) })
		all.Wait()
	})
	if err != nil {
		return err
	}
	l.report.saw("ordinary calls during the crowd and slow clients", "%v", meanwhile)
	return s.IsUp()
}

// sleep waits for a while or until the context ends.
func sleep(ctx context.Context, span time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}

// durations are durations of calls.
type durations []time.Duration

// String gives their number and percentiles.
func (s durations) String() string {
	if len(s) == 0 {
		return "none"
	}
	slices.Sort(s)
	at := func(percent int) time.Duration { return s[(len(s)-1)*percent/100].Round(time.Microsecond) }
	return fmt.Sprintf("%d: half within %v, 99%% within %v, all within %v", len(s), at(50), at(99), at(100))
}

// callWhile has a few callers make ordinary calls, with short pauses, until do returns.
func (l *ledger) callWhile(ctx context.Context, s *sandbox, tag string, do func()) (durations, error) {
	const callers, pause = 4, 5 * time.Millisecond
	calling, end := context.WithCancel(ctx)
	defer end()
	next := plan{tag: tag, functions: l.project.functions, onlyOrdinary: true}.numbered()
	var (
		all   sync.WaitGroup
		mu    sync.Mutex
		took  durations
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
					err = l.noteLost(r, err)
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
				sleep(calling, pause)
			}
		})
	}
	do()
	end()
	all.Wait()
	return took, fails
}

// holdConnections opens many connections, uses all for a call at the same moment, several
// times, and keeps them open in between.
func (l *ledger) holdConnections(ctx context.Context, s *sandbox, many int) {
	const rounds, held = 3, 5 * time.Second
	next := plan{tag: "crowd", functions: l.project.functions, onlyOrdinary: true}.numbered()
	callers := make([]*caller, many)
	for i := range callers {
		callers[i] = &caller{sandbox: s}
		defer callers[i].hangUp()
	}
	// The first round opens the connections.
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
					_ = l.noteLost(r, err)
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
		sleep(ctx, held)
	}
	l.report.judge(fmt.Sprintf("calls over %d connections at once", many),
		fmt.Sprintf("%d answered, in %v", answered, took),
		fmt.Sprintf("all of %d", rounds*many), answered == rounds*many)
}
