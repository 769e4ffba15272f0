package cloudlog

import (
	"cmp"
	"context"
	"slices"
)

// byTime orders events by their times, then by when they came to CloudWatch.
func byTime(a, b *event) int {
	return cmp.Or(cmp.Compare(a.Timestamp, b.Timestamp), cmp.Compare(a.Ingested, b.Ingested))
}

// tap reads the events of one query of one group, each once, in the order of their times. It
// reads one page ahead, so that an event may also come a page too late.
type tap struct {
	reader   *Reader
	function int
	in       filter

	// ready are the events that come next, ahead those of the page read last.
	ready, ahead []event
	started      bool
	seen         seen
	newest       int64
}

func (r *Reader) tap(function int, in filter) *tap {
	in.Group = r.Groups[function].Name
	return &tap{reader: r, function: function, in: in}
}

// next returns the next event; nil at the end. It stays the next one until it is taken.
func (t *tap) next(ctx context.Context) (*event, error) {
	for len(t.ready) == 0 {
		if t.started && t.in.Token == "" {
			if t.ready, t.ahead = t.ahead, nil; len(t.ready) == 0 {
				return nil, nil
			}
			break
		}
		events, next, err := t.reader.page(ctx, t.in)
		if err != nil {
			return nil, err
		}
		t.started, t.in.Token = true, next
		t.add(events)
	}
	return &t.ready[0], nil
}

// add adds the events of a page.
func (t *tap) add(events []event) {
	all, before := t.ahead, len(t.ahead)
	for _, e := range events {
		if !t.seen.first(e.key(), e.Timestamp) {
			continue
		}
		e.group, e.function = t.in.Group, t.function
		t.newest = max(t.newest, e.Timestamp)
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b event) int { return byTime(&a, &b) })
	if (before == 0 || len(all) == before) && t.in.Token != "" {
		t.ahead = all
		return
	}
	t.ready, t.ahead = all[:before:before], slices.Clone(all[before:])
	t.seen.forget(t.newest - overlap)
}

func (t *tap) take() *event {
	e := t.ready[0]
	t.ready = t.ready[1:]
	return &e
}

// merged calls use for each event of several taps, in the order of their times.
func merged(ctx context.Context, taps []*tap, use func(*event) error) error {
	for {
		var first *tap
		var earliest *event
		for _, t := range taps {
			e, err := t.next(ctx)
			if isMissing(err) {
				t.reader.missing(t.reader.Groups[t.function])
				t.started, t.in.Token, t.ready, t.ahead = true, "", nil, nil
				continue
			}
			if err != nil {
				return err
			}
			if e != nil && (earliest == nil || byTime(e, earliest) < 0) {
				first, earliest = t, e
			}
		}
		if first == nil {
			return nil
		}
		if err := use(first.take()); err != nil {
			return err
		}
	}
}

// overlap is how far before the newest event a follower looks again, in milliseconds: events of
// other streams may be older and come later.
const overlap = 10_000

// seen has the keys of events that were seen, with their times.
type seen struct {
	times map[string]int64
	// room is at how many keys old ones are forgotten.
	room int
}

// first reports whether an event is seen for the first time.
func (s *seen) first(key string, at int64) bool {
	if _, was := s.times[key]; was {
		return false
	}
	if s.times == nil {
		s.times = make(map[string]int64)
	}
	s.times[key] = at
	return true
}

// forget forgets events before a time, if there are many.
func (s *seen) forget(before int64) {
	const few = 1000
	if len(s.times) < max(s.room, few) {
		return
	}
	for key, at := range s.times {
		if at < before {
			delete(s.times, key)
		}
	}
	s.room = 2 * len(s.times)
}
