package traffic

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// gathered is how long what happens is gathered for one moment.
const gathered = 30 * time.Millisecond

// mostAtOnce is how many calls a moment has at most.
const mostAtOnce = 500

// bell wakes who waits for it. To ring one that nobody waits for costs nothing.
type bell struct{ rung atomic.Pointer[chan struct{}] }

func (b *bell) ring() {
	if b.rung.Load() == nil {
		return
	}
	if rung := b.rung.Swap(nil); rung != nil {
		close(*rung)
	}
}

// arm returns what is closed by the next ring.
func (b *bell) arm() <-chan struct{} {
	rung := make(chan struct{})
	for !b.rung.CompareAndSwap(nil, &rung) {
		if armed := b.rung.Load(); armed != nil {
			return *armed
		}
	}
	return rung
}

// Stir says that calls began, or got workers, or that the state of a function changed. It returns at
// once, and costs nothing while nobody follows moments.
func (s *Store) Stir() { s.stirred.ring() }

// Around is what a moment has besides the calls that were answered.
type Around struct {
	// Open are the calls that are on their way, in order; soon says that others will be among them
	// if they are not answered shortly.
	Open func() (open []Open, soon bool)
	// Functions are the states of all functions, in no order.
	Functions func() []FunctionState
}

// feed is what a reader of moments has already.
type feed struct {
	store  *Store
	around Around
	// last is the number of a call, loosed and version those of what else the Store counts.
	last, loosed, version uint64
	open                  []Open
	states                map[functionName]FunctionState
}

type functionName struct{ environment, name string }

// Feed calls use with what happens: first with all, and the calls that are kept after the one with a
// number, then with what changed, until ctx ends, the Store is closed, or use returns an error, which
// Feed returns. Adding a call does not wait for it.
func (s *Store) Feed(ctx context.Context, after uint64, around Around, use func(Moment) error) error {
	f := &feed{store: s, around: around, last: after}
	for first := true; ; first = false {
		more, stirred := s.more.arm(), s.stirred.arm()
		m, soon, closed := f.next(first)
		for rest := m.Calls; first || !m.isEmpty(); first = false {
			m.Calls = rest[:min(mostAtOnce, len(rest))]
			if rest = rest[len(m.Calls):]; len(m.Calls) > 0 {
				m.Last = m.Calls[len(m.Calls)-1].Number
			}
			if err := use(m); err != nil {
				return err
			}
			m = Moment{Calls: rest, Last: m.Last}
		}
		if closed {
			return nil
		}
		if !soon {
			select {
			case <-more:
			case <-stirred:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		select {
		case <-time.After(gathered):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isEmpty reports whether a moment says nothing.
func (m *Moment) isEmpty() bool {
	return len(m.Calls)+len(m.Loose)+len(m.Functions)+len(m.Totals) == 0 && m.Open == nil
}

// next is what happened since the last time, and whether the next moment comes soon, or the Store is closed.
func (f *feed) next(first bool) (m Moment, soon, closed bool) {
	// What is on its way comes first: a call that is answered meanwhile is in Calls, and is seen as
	// answered by who reads both.
	open, soon := f.around.Open()
	s := f.store
	s.mu.Lock()
	s.take(true)
	if first {
		f.loosed = s.loosed
	}
	found := s.matching(Query{After: f.last})
	m = Moment{Loose: s.looseAfter(f.loosed), Totals: s.uses.since(f.version)}
	f.last, f.loosed, f.version = max(f.last, s.last), s.loosed, s.uses.version
	m.Last, closed = f.last, s.closed
	s.mu.Unlock()
	m.Calls = callsOf(found)
	if first || !slices.Equal(open, f.open) {
		m.Open = append([]Open{}, open...)
		f.open = open
	}
	m.Functions = f.changed()
	return m, soon, closed
}

// changed are the functions whose state is another one than before, sorted.
func (f *feed) changed() []FunctionState {
	states, changed := make(map[functionName]FunctionState), []FunctionState{}
	for _, state := range f.around.Functions() {
		name := functionName{state.Environment, state.Name}
		states[name] = state
		if before, known := f.states[name]; !known || before != state {
			changed = append(changed, state)
		}
	}
	for name := range f.states {
		if _, still := states[name]; !still {
			changed = append(changed, FunctionState{Environment: name.environment, Name: name.name, Gone: true})
		}
	}
	f.states = states
	slices.SortFunc(changed, func(a, b FunctionState) int {
		return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.Name, b.Name))
	})
	return changed
}
