package trigger

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/table"
)

// Mapping is a function that is called with the changes of a table, as Lambda does by an
// event source mapping.
type Mapping struct {
	Environment, Region, Account string
	// Table is the name of the deployed table, Resource its name in the project.
	Table, Resource string
	model.StreamTrigger
}

// most is how many changes a call gets at most.
func (m Mapping) most() int { return cmp.Or(m.BatchSize, model.DefaultBatchSize) }

// place is what two mappings share whose functions must not be called at once: one reads on
// where the other has read to.
func (m Mapping) place() string { return m.Table + "\x00" + m.reader() }

// reader is the name of the mapping among the readers of the table's stream.
func (m Mapping) reader() string { return m.Environment + "/" + m.Function }

// Stream is what Streams reads: the tables of the sandbox.
type Stream interface {
	Changed() <-chan struct{}
	BeginReading(table, reader string, latest bool) error
	ReadChanges(table, reader string, most, largest int) (table.Changes, error)
	DoneReading(changes table.Changes, reader string, n int) error
	EndReading(table string, keep func(reader string) bool) error
}

// Streams calls functions with the changes of tables: those of one table in their order, each batch again
// until the function has taken it. The position of each function is kept in the file of the tables after its
// call, so a change is given to it at least once, also if the sandbox is killed.
type Streams struct {
	from Stream
	// call calls the function of a mapping with an event; the error says why it failed.
	call func(Mapping, []byte) (answer []byte, err error)
	// report gets what a person should know, a sentence about the function.
	report func(Mapping, string)

	ctx     context.Context // ends with Stop
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex
	followers map[Mapping]*follower
	// latest are the last followers by place, which may still run after their mapping is gone.
	latest map[string]*follower
}

// NewStreams starts without a mapping. call and report are called from several goroutines.
func NewStreams(from Stream, call func(Mapping, []byte) ([]byte, error), report func(Mapping, string)) *Streams {
	s := &Streams{
		from: from, call: call, report: report, followers: make(map[Mapping]*follower),
		latest: make(map[string]*follower),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.running.Go(s.wake)
	return s
}

// wake wakes all followers when there are changes.
func (s *Streams) wake() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.from.Changed():
		}
		s.mu.Lock()
		for _, f := range s.followers {
			f.nudge()
		}
		s.mu.Unlock()
	}
}

// Apply replaces all mappings; tables are all tables that there are. A mapping that is new
// begins where it says, a mapping that stays keeps its position, one that is gone loses it.
// What waits for its next attempt is tried at once.
func (s *Streams) Apply(mappings []Mapping, tables []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return
	}
	for place, f := range s.latest {
		if f.hasEnded() {
			delete(s.latest, place)
		}
	}
	for m, f := range s.followers {
		s.latest[m.place()] = f
		if !slices.Contains(mappings, m) {
			f.cancel()
			delete(s.followers, m)
			if !slices.ContainsFunc(mappings, func(other Mapping) bool { return other.place() == m.place() }) {
				f.position.forget()
			}
		}
	}
	for _, name := range tables {
		keep := func(reader string) bool {
			return slices.ContainsFunc(mappings, func(m Mapping) bool { return m.Table == name && m.reader() == reader })
		}
		if err := s.from.EndReading(name, keep); err != nil {
			s.report(Mapping{Table: name},
				"the positions in the stream of the table "+phrase.Quote(name)+" cannot be changed: "+err.Error())
		}
	}
	for _, m := range mappings {
		if f := s.followers[m]; f != nil {
			f.tryAgain()
			continue
		}
		if err := s.from.BeginReading(m.Table, m.reader(), m.From != model.FromOldest); err != nil &&
			!errors.Is(err, table.ErrNoStream) {
			s.report(m, m.cannotRead(err))
		}
		before := s.latest[m.place()]
		f := &follower{
			streams: s, mapping: m, awake: make(chan struct{}, 1), again: make(chan struct{}, 1), after: before,
			ended: make(chan struct{}), position: new(position),
		}
		if before != nil && !before.position.isForgotten() {
			f.position = before.position
		}
		f.ctx, f.cancel = context.WithCancel(s.ctx)
		s.followers[m] = f
		s.running.Go(f.run)
	}
}

func (m Mapping) cannotRead(err error) string {
	return "the changes of the table " + phrase.Quote(m.Table) + " cannot be read: " + err.Error()
}

// Retry tries what a function has not taken again at once.
func (s *Streams) Retry(environment, function string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for m, f := range s.followers {
		if m.Environment == environment && m.Function == function {
			f.tryAgain()
		}
	}
}

// Stop begins no further call.
func (s *Streams) Stop() { s.cancel() }

// Wait waits after Stop for the calls that were begun.
func (s *Streams) Wait() { s.running.Wait() }

// follower calls the function of one mapping.
type follower struct {
	streams *Streams
	mapping Mapping
	ctx     context.Context
	cancel  context.CancelFunc
	// awake has a value when there may be changes, again when what failed is to be tried again.
	awake, again chan struct{}
	// after is the follower that was at the same place before; nil for none.
	after *follower
	ended chan struct{}
	// position is that of all followers at the same place, until no mapping of it is left.
	position *position
	// failing is what was reported last about reading.
	failing string
}

// position is held while a position in a stream is kept, which it is no more when it is
// forgotten.
type position struct {
	sync.Mutex
	forgotten bool
}

func (p *position) forget() {
	p.Lock()
	defer p.Unlock()
	p.forgotten = true
}

func (p *position) isForgotten() bool {
	p.Lock()
	defer p.Unlock()
	return p.forgotten
}

func (f *follower) nudge()    { wakeUp(f.awake) }
func (f *follower) tryAgain() { wakeUp(f.again) }

func wakeUp(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

const (
	// largestBatch bounds the records of an event: with what is added to each they stay below
	// the 6 MB of a call.
	largestBatch = 4 << 20
	// patience is after which time a follower tries again to read or to keep its position.
	patience = time.Second
)

func (f *follower) run() {
	defer close(f.ended)
	if f.after != nil {
		<-f.after.ended
		f.after = nil
	}
	for f.ctx.Err() == nil {
		changes, err := f.read()
		switch {
		case err != nil:
			f.rest(patience, f.awake)
		case len(changes.List) == 0:
			f.await()
		case !f.gathers(changes):
			f.deliver(changes)
		}
	}
}

// read reads the next batch, and reports once why it cannot.
func (f *follower) read() (table.Changes, error) {
	m := f.mapping
	changes, err := f.streams.from.ReadChanges(m.Table, m.reader(), m.most(), largestBatch)
	switch {
	case err == nil:
		f.failing = ""
	case err.Error() != f.failing && f.ctx.Err() == nil:
		f.failing = err.Error()
		f.streams.report(m, m.cannotRead(err))
	}
	return changes, err
}

// gathers waits if more changes may come within the batch window, and reports whether the
// batch has to be read again.
func (f *follower) gathers(changes table.Changes) bool {
	m := f.mapping
	window := time.Duration(m.BatchWindow) * time.Second
	// The clock may have been set back since the change.
	open := min(window, window-time.Since(changes.List[0].Time))
	if open <= 0 || changes.Full || len(changes.List) >= m.most() {
		return false
	}
	f.rest(open, f.awake)
	return true
}

// await waits until there are changes. None is missed, since the store tells of them after
// they can be read.
func (f *follower) await() {
	select {
	case <-f.ctx.Done():
	case <-f.awake:
	}
}

// rest waits for a time, a value or the end.
func (f *follower) rest(d time.Duration, until <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.ctx.Done():
	case <-until:
	case <-timer.C:
	}
}

// deliver calls the function with a batch until it has taken all of it, the batch is given up
// or has expired, or the follower ends.
func (f *follower) deliver(changes table.Changes) {
	m := f.mapping
	for attempt := 1; len(changes.List) > 0 && f.ctx.Err() == nil; attempt++ {
		answer, err := f.streams.call(m, streamEvent(m, changes))
		taken := len(changes.List)
		if err != nil {
			taken = 0
		} else if m.ReportFailures {
			taken, err = firstFailure(answer, changes.List)
		}
		if taken > 0 {
			if failed := f.done(changes, taken); failed != nil {
				f.streams.report(m, "the position in the stream of the table "+phrase.Quote(m.Table)+
					" is not kept, and its changes will come again: "+failed.Error())
				f.rest(patience, f.again)
				return
			}
			changes.List, attempt = changes.List[taken:], 0
		}
		if len(changes.List) == 0 || err == nil || f.ctx.Err() != nil {
			continue
		}
		if !f.failed(&changes, attempt, err) {
			return
		}
	}
}

// done keeps that the function has taken the first n changes.
func (f *follower) done(changes table.Changes, n int) error {
	f.position.Lock()
	defer f.position.Unlock()
	if f.position.forgotten {
		return nil
	}
	return f.streams.from.DoneReading(changes, f.mapping.reader(), n)
}

func (f *follower) hasEnded() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// failed deals with a batch that was not taken: it is divided, given up, or tried again after
// a while. It reports whether it is to be tried again.
func (f *follower) failed(changes *table.Changes, attempt int, err error) bool {
	m, n := f.mapping, len(changes.List)
	what := "the call with " + phrase.Count(n, "change") + " of the table " + phrase.Quote(m.Resource)
	if m.Bisect && n > 1 {
		f.streams.report(m, what+" failed, and is divided in two: "+err.Error())
		first, second := *changes, *changes
		first.List, second.List = changes.List[:n/2], changes.List[n/2:]
		f.deliver(first)
		f.deliver(second)
		return false
	}
	if m.Attempts > 0 && attempt >= m.Attempts {
		f.streams.report(m, what+" failed "+phrase.Count(attempt, "time")+" and is given up: the function does not get "+
			sequences(changes.List)+": "+err.Error())
		if failed := f.done(*changes, n); failed != nil {
			f.streams.report(m, "the position in the stream of the table "+phrase.Quote(m.Table)+" is not kept: "+failed.Error())
		}
		return false
	}
	wait := waitAfter(attempt)
	f.streams.report(m, what+" failed and is tried again in "+wait.String()+": "+err.Error())
	f.rest(wait, f.again)
	// What has expired meanwhile is left out when it is read again.
	const life = 24 * time.Hour
	return time.Since(changes.List[0].Time) < life
}
