package logs

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// follower is a reader of new lines. Writers put lines into its queue without waiting; when
// the queue is full, they count the lines that they leave out.
type follower struct {
	query Query
	// limit is the capacity of the queue in lines, bytes in bytes.
	limit, bytes int
	// wake receives a value when the queue has lines; done is closed when no more come.
	wake chan struct{}
	done chan struct{}

	mu    sync.Mutex
	queue []Line
	size  int
	lost  int
	ended bool
}

// Follow sends the lines that are appended from now on; it ignores q.Last. The channel is
// closed when ctx ends or the Store is closed. A reader that is too slow loses lines; a
// Platform line in their place says how many.
func (s *Store) Follow(ctx context.Context, q Query) <-chan Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.follow(ctx, q)
}

// ReadAndFollow returns the matching lines, from disk too if memory lacks some, and follows
// the lines after them. No line in between is missing or in both.
func (s *Store) ReadAndFollow(ctx context.Context, q Query) ([]Line, <-chan Line) {
	s.fill(q)
	s.mu.Lock()
	known, following := s.known(q), s.follow(ctx, q)
	s.mu.Unlock()
	var logs [][]Line
	for _, k := range known {
		logs = append(logs, k.lines(q))
	}
	return last(merge(logs), q.Last), following
}

// follow is Follow for callers that hold mu.
func (s *Store) follow(ctx context.Context, q Query) <-chan Line {
	f := &follower{
		query: q, limit: s.limits.follow, bytes: s.limits.bytes, wake: make(chan struct{}, 1),
		done: make(chan struct{}),
	}
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

// offer puts a line into the queue if it matches the query.
func (f *follower) offer(l Line) {
	if !f.query.wants(l) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	// After a lost line, all lines are lost until the reader empties the queue, so that
	// the loss is in one place.
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

// take empties the queue and appends a line about lost lines.
func (f *follower) take() []Line {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := f.queue
	if f.lost > 0 {
		lines = append(lines, Line{
			Time: time.Now().Round(0).UTC(), Environment: f.query.Environment, Function: f.query.Function,
			Request: f.query.Request,
			Level:   Platform, Text: fmt.Sprintf("%d lines are left out here: they came faster than they were read", f.lost),
		})
	}
	f.queue, f.size, f.lost = nil, 0, 0
	return lines
}

// end tells the follower that no more lines come; those in the queue are still sent.
func (f *follower) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.ended = true
		close(f.done)
	}
}

// forward sends lines to the reader until ctx ends or no more come.
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
