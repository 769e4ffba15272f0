package logs

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// follower is one reader of new lines. Writers put lines into its queue and never
// wait; when the queue is full they count what they leave out.
type follower struct {
	query Query
	// limit is how many lines wait at most, bytes how long they are together.
	limit, bytes int
	// wake says that something is in the queue, done that no more will come.
	wake chan struct{}
	done chan struct{}

	mu    sync.Mutex
	queue []Line
	size  int
	lost  int
	ended bool
}

// Follow gives the lines that are appended from now on; Last means nothing to it.
// The channel is closed when ctx ends or the Store is closed. A reader that is too
// slow loses lines; a Platform line in their place says how many.
func (s *Store) Follow(ctx context.Context, q Query) <-chan Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.follow(ctx, q)
}

// ReadAndFollow is Read of what is in memory and Follow of what comes after it,
// without a line between them that is in neither or in both.
func (s *Store) ReadAndFollow(ctx context.Context, q Query) ([]Line, <-chan Line) {
	s.fill(q)
	s.mu.Lock()
	defer s.mu.Unlock()
	var logs [][]Line
	for _, log := range s.matching(q) {
		lines, _ := log.inMemory(q)
		logs = append(logs, lines)
	}
	return last(merge(logs), q.Last), s.follow(ctx, q)
}

// follow is Follow for who holds mu.
func (s *Store) follow(ctx context.Context, q Query) <-chan Line {
	f := &follower{query: q, limit: s.limits.follow, bytes: s.limits.bytes, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if s.closed {
		f.end()
	} else {
		s.followers[f] = struct{}{}
	}
	lines := make(chan Line)
	go func() {
		defer close(lines)
		f.forward(ctx, lines)
		s.mu.Lock()
		delete(s.followers, f)
		s.mu.Unlock()
	}()
	return lines
}

// offer puts a line into the queue where the reader wants it.
func (f *follower) offer(l Line) {
	if !f.query.wants(l) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	// Once a line is left out, so are all until the reader takes what there is:
	// the loss is then in one place.
	if f.lost > 0 || len(f.queue) >= f.limit || f.size > f.bytes {
		f.lost++
		return
	}
	f.queue = append(f.queue, l)
	f.size += weight(l)
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// take is what is in the queue, and what says how much is not.
func (f *follower) take() []Line {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := f.queue
	if f.lost > 0 {
		lines = append(lines, Line{
			Time: time.Now().Round(0).UTC(), Environment: f.query.Environment, Function: f.query.Function, Request: f.query.Request,
			Level: Platform, Text: fmt.Sprintf("%d lines are left out here: they came faster than they were read", f.lost),
		})
	}
	f.queue, f.size, f.lost = nil, 0, 0
	return lines
}

// end says that no more lines come; those in the queue are still given.
func (f *follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.ended = true
		close(f.done)
	}
}

// forward gives the lines to the reader until ctx ends or no more will come.
func (f *follower) forward(ctx context.Context, to chan<- Line) {
	for ended := false; !ended; {
		select {
		case <-f.wake:
		case <-f.done:
			ended = true
		case <-ctx.Done():
			return
		}
		for _, l := range f.take() {
			select {
			case to <- l:
			case <-ctx.Done():
				return
			}
		}
	}
}
