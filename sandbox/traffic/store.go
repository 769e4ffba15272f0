package traffic

import (
	"context"
	"slices"
	"sync"
	"time"
)

// The limits of a Store: the calls that it keeps, and the bytes of their details.
const (
	MostCalls = 10_000
	mostBytes = 64 << 20
)

// Store keeps the last calls, and counts all. Several goroutines may use it.
type Store struct {
	calls, bytes int

	mu sync.Mutex
	// ring has the last calls; the one with number n is at n modulo its length.
	ring []Detail
	last uint64
	// held are the bytes of the details, of which the call with the number oldest has the
	// oldest.
	held   int
	oldest uint64
	counts counts
	// more is closed when a call is added, if somebody waits.
	more   chan struct{}
	closed bool
}

// New returns a Store without calls. begun is when counting begins.
func New(begun time.Time) *Store {
	return &Store{calls: MostCalls, bytes: mostBytes, oldest: 1, counts: newCounts(begun)}
}

// Add keeps a call and counts it. It sets the call's number.
func (s *Store) Add(d Detail) {
	if d.Who.Groups == nil {
		d.Who.Groups = []string{}
	}
	if d.Breaches == nil {
		d.Breaches = []string{}
	}
	size := sizeOf(&d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.last++
	d.Number = s.last
	if len(s.ring) < s.calls {
		s.ring = append(s.ring, d)
	} else {
		at := s.at(s.last)
		if s.oldest <= s.last-uint64(s.calls) {
			s.held -= sizeOf(at)
			s.oldest++
		}
		*at = d
	}
	for s.held += size; s.held > s.bytes && s.oldest <= s.last; s.oldest++ {
		at := s.at(s.oldest)
		s.held -= sizeOf(at)
		*at = Detail{Call: at.Call, Gone: true}
	}
	s.counts.add(&d.Call)
	if s.more != nil {
		close(s.more)
		s.more = nil
	}
}

// at is the place of a call that is kept.
func (s *Store) at(number uint64) *Detail { return &s.ring[(number-1)%uint64(s.calls)] }

// first is the number of the oldest call that is kept.
func (s *Store) first() uint64 { return s.last - uint64(len(s.ring)) + 1 }

// sizeOf is about how many bytes the detail of a call takes, without the Call itself.
func sizeOf(d *Detail) int {
	size := len(d.Body) + len(d.Event) + len(d.Result) + len(d.AnswerBody)
	for _, headers := range [][]Header{d.Headers, d.AnswerHeaders} {
		for _, h := range headers {
			size += len(h.Name) + len(h.Value) + 32
		}
	}
	for _, text := range d.Left {
		size += len(text) + 16
	}
	return size
}

// Query selects calls; an empty field selects all.
type Query struct {
	Environment string
	// After selects calls with a greater number.
	After uint64
	// Last limits the calls to the newest ones; 0 is no limit.
	Last int
}

// Calls are the calls that are kept and match, the oldest first.
func (s *Store) Calls(q Query) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.matching(q)
}

func (s *Store) matching(q Query) []Call {
	found := []Call{}
	for n := s.last; n >= s.first() && n > q.After && (q.Last == 0 || len(found) < q.Last); n-- {
		if c := &s.at(n).Call; q.Environment == "" || c.Environment == q.Environment || c.Environment == "" {
			found = append(found, *c)
		}
	}
	slices.Reverse(found)
	return found
}

// Follow calls use with the calls that are kept and match, then with each that comes, until
// ctx ends, the Store is closed, or use returns an error, which Follow returns. A reader that
// is more than MostCalls behind loses calls: their numbers are missing.
func (s *Store) Follow(ctx context.Context, q Query, use func([]Call) error) error {
	for {
		s.mu.Lock()
		found, closed := s.matching(q), s.closed
		q.After, q.Last = max(q.After, s.last), 0
		if s.more == nil && !closed {
			s.more = make(chan struct{})
		}
		more := s.more
		s.mu.Unlock()
		if err := use(found); err != nil || closed {
			return err
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Detail is a call with what was sent and answered; false if it is not kept.
func (s *Store) Detail(number uint64) (Detail, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < s.first() || number > s.last {
		return Detail{}, false
	}
	d := *s.at(number)
	d.readEvent()
	for _, list := range []*[]Header{&d.Headers, &d.AnswerHeaders} {
		if *list == nil {
			*list = []Header{}
		}
	}
	if d.Left == nil {
		d.Left = []string{}
	}
	return d, true
}

// Close ends every Follow. Calls that are added later are dropped.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.more != nil {
		close(s.more)
		s.more = nil
	}
}
