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

// Raw is a call as it came, with its secrets. It stays in memory: a reader of the call gets what
// these methods leave of it. Several goroutines may call them.
type Raw interface {
	// CleanCall takes the secrets out of the texts of a call, and Clean makes its detail.
	CleanCall(c *Call)
	Clean(d *Detail)
}

// entry is a call that is kept; raw is nil when its detail is gone. With loose it is such a use, and no
// call.
type entry struct {
	Call
	ended Ended
	raw   Raw
	held  int
	loose *LooseUse
}

// call is the call without secrets.
func (e *entry) call() Call {
	c := e.Call
	if e.raw != nil {
		e.raw.CleanCall(&c)
	}
	c.Parts = partsOf(&e.ended.times)
	return c
}

// atOnceNumbered is how many calls may wait for their numbers until somebody asks.
const atOnceNumbered = 64

// Store keeps the last calls, and counts all. Several goroutines may use it. Adding a call does
// not wait for readers; the call gets its number, and is counted, later.
type Store struct {
	calls, bytes int

	adding sync.Mutex
	// added are the calls that have no number yet.
	added []*entry
	// watched says that somebody waits for the next call. closed changes with both locks held.
	watched, closed bool

	// mu is locked before adding.
	mu sync.Mutex
	// ring has the last calls; the one with number n is at n modulo its length.
	ring []*entry
	last uint64
	// held are the bytes of the details, of which the call with the number oldest has the
	// oldest.
	held   int
	oldest uint64
	counts counts
	// uses counts uses, loose are the last ones without a call, and loosed is how many there were.
	uses   uses
	loose  []LooseUse
	loosed uint64
	// more wakes who waits for a call, stirred who follows moments when something else comes.
	more, stirred bell
}

// New returns a Store without calls. begun is when counting begins.
func New(begun time.Time) *Store {
	return &Store{calls: MostCalls, bytes: mostBytes, oldest: 1, counts: newCounts(begun), uses: newUses()}
}

// AddRaw keeps a call that ended as it came, of which held bytes are in raw, and counts it. Calls have
// their numbers in the order in which they were added.
func (s *Store) AddRaw(c Call, ended Ended, held int, raw Raw) {
	s.add(&entry{Call: c, ended: ended, raw: raw, held: held})
}

// AddLoose counts a use of which no call is known.
func (s *Store) AddLoose(u LooseUse) { s.add(&entry{loose: &u}) }

func (s *Store) add(e *entry) {
	s.adding.Lock()
	defer s.adding.Unlock()
	if s.closed {
		return
	}
	s.added = append(s.added, e)
	if len(s.added) == atOnceNumbered || s.watched {
		s.watched = false
		go s.number()
	}
}

// number gives the calls that were added their numbers.
func (s *Store) number() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take(false)
}

// take is number for who holds the lock. With watch, the next call that is added wakes.
func (s *Store) take(watch bool) {
	s.adding.Lock()
	added := s.added
	s.added, s.watched = nil, s.watched || watch
	s.adding.Unlock()
	for _, e := range added {
		s.keep(e)
	}
	if len(added) > 0 {
		s.more.ring()
	}
}

// keep gives a call its number and its place.
func (s *Store) keep(e *entry) {
	if e.loose != nil {
		s.keepLoose(e.loose)
		return
	}
	s.last++
	e.Number = s.last
	if len(s.ring) < s.calls {
		s.ring = append(s.ring, e)
	} else {
		if s.oldest <= s.last-uint64(s.calls) {
			s.held -= s.at(s.last).held
			s.oldest++
		}
		s.ring[(s.last-1)%uint64(s.calls)] = e
	}
	for s.held += e.held; s.held > s.bytes && s.oldest <= s.last; s.oldest++ {
		old := s.at(s.oldest)
		s.held -= old.held
		s.ring[(s.oldest-1)%uint64(s.calls)] = &entry{Call: old.call(), ended: old.ended}
	}
	s.counts.add(&e.Call)
	s.uses.add(e)
}

// at is the place of a call that is kept.
func (s *Store) at(number uint64) *entry { return s.ring[(number-1)%uint64(s.calls)] }

// first is the number of the oldest call that is kept.
func (s *Store) first() uint64 { return s.last - uint64(len(s.ring)) + 1 }

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
	s.take(false)
	found := s.matching(q)
	s.mu.Unlock()
	return callsOf(found)
}

// matching are the entries of a query. Who holds the lock may not look at what is in them.
func (s *Store) matching(q Query) []*entry {
	var found []*entry
	for n := s.last; n >= s.first() && n > q.After && (q.Last == 0 || len(found) < q.Last); n-- {
		if e := s.at(n); q.Environment == "" || e.Environment == q.Environment || e.Environment == "" {
			found = append(found, e)
		}
	}
	slices.Reverse(found)
	return found
}

func callsOf(entries []*entry) []Call {
	calls := make([]Call, len(entries))
	for i, e := range entries {
		c := e.call()
		if c.Who.Groups == nil {
			c.Who.Groups = []string{}
		}
		if c.Breaches == nil {
			c.Breaches = []string{}
		}
		if c.Uses == nil {
			c.Uses = []Use{}
		}
		calls[i] = c
	}
	return calls
}

// Follow calls use with the calls that are kept and match, then with each that comes, until
// ctx ends, the Store is closed, or use returns an error, which Follow returns. A reader that
// is more than MostCalls behind loses calls: their numbers are missing.
func (s *Store) Follow(ctx context.Context, q Query, use func([]Call) error) error {
	for {
		more := s.more.arm()
		s.mu.Lock()
		s.take(true)
		closed, found := s.closed, s.matching(q)
		q.After, q.Last = max(q.After, s.last), 0
		s.mu.Unlock()
		if err := use(callsOf(found)); err != nil || closed {
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
	s.take(false)
	kept := number >= s.first() && number <= s.last
	var e *entry
	if kept {
		e = s.at(number)
	}
	s.mu.Unlock()
	if !kept {
		return Detail{}, false
	}
	d := Detail{Call: callsOf([]*entry{e})[0], Gone: e.raw == nil}
	if e.raw != nil {
		e.raw.Clean(&d)
	}
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
	s.adding.Lock()
	s.closed = true
	s.adding.Unlock()
	s.take(false)
	s.more.ring()
}
