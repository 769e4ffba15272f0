package cloudlog

import (
	"context"
	"errors"
	"slices"
	"time"

	"gatewright/deploy/account"
	"gatewright/internal/network"
	"gatewright/sandbox/logs"
)

// Stopped is the error of a follower that cannot go on.
type Stopped struct {
	// Since is from when on lines may be missing.
	Since time.Time
	// Err is why it cannot go on.
	Err error
}

func (s *Stopped) Error() string { return s.Err.Error() }

// Unwrap returns why it cannot go on.
func (s *Stopped) Unwrap() error { return s.Err }

// Follow calls use for each line that is there and for each that comes, until ctx ends, whose error it then returns.
// Each line is used once, in the order of their times: an event waits until every group was asked again after it
// came, and for two seconds at least, so that earlier ones of other functions and streams can overtake it. One that
// comes later than that is used late, with its own time; one that is more than ten seconds older than the newest of
// its group when it comes may be missed.
//
// While AWS refuses calls or cannot be reached, it asks more rarely and goes on. Any other
// error is a *Stopped, after the events that wait are used, unless it is one of use.
func (r *Reader) Follow(ctx context.Context, q Query, use func(logs.Line) error) error {
	f := &follower{Reader: r, query: q, use: use, of: make(running), pause: r.Pace.usual().Poll}
	err := f.first(ctx)
	for err == nil {
		if err = network.Pause(ctx, network.Varied(f.pause)); err != nil {
			break
		}
		err = f.round(ctx)
	}
	var own *usesError
	if !errors.As(err, &own) && ctx.Err() == nil {
		_ = errors.As(f.flush(), &own)
	}
	switch {
	case own != nil:
		return own.err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return &Stopped{Since: f.unread(), Err: err}
}

// usesError is an error of the function that gets the lines.
type usesError struct{ err error }

func (e *usesError) Error() string { return e.err.Error() }

// follower is a running Follow.
type follower struct {
	*Reader
	query Query
	use   func(logs.Line) error
	of    running
	// pause is the time between two rounds, rounds how many are done: in each, every group was asked.
	pause  time.Duration
	rounds int
	groups []followed
	// waiting are the events that are not used yet, in their order.
	waiting []waiting
}

// followed is a group that is followed.
type followed struct {
	seen   seen
	newest int64
	// asked is when it was asked last, by the clock of AWS; 0 before it has answered.
	asked int64
	// missing is after how many rounds the group was not there; 0 for never.
	missing int
}

// waiting is an event that waits for earlier ones. It came after a number of rounds, at a time of this machine.
type waiting struct {
	event
	line   logs.Line
	rounds int
	came   time.Time
}

// first reads what is there. Only what is new can be overtaken, so that older events need not wait.
func (f *follower) first(ctx context.Context) error {
	const settled = 30 * time.Second
	f.groups = make([]followed, len(f.Groups))
	old := f.Account.Now().Add(-settled).UnixMilli()
	last := newest[waiting]{limit: f.query.Last}
	// What one try has read, the next one does not read again.
	defer func() { f.waiting = slices.AppendSeq(f.waiting, last.all()) }()
	for {
		begun := f.Account.Now()
		var taps []*tap
		for i := range f.Groups {
			taps = append(taps, f.tap(i, filter{Since: f.since(i), Until: begun.Add(clockTolerance).UnixMilli()}))
		}
		err := merged(ctx, taps, func(e *event) error {
			g := &f.groups[e.function]
			g.newest = max(g.newest, e.Timestamp)
			fresh := g.seen.first(e.key(), e.Timestamp)
			g.seen.forget(min(g.newest, begun.UnixMilli()) - overlap)
			if !fresh {
				return nil
			}
			w, wanted := f.read(e)
			switch {
			case !wanted:
			case f.query.Last > 0:
				last.add(w)
			case e.Timestamp < old:
				return f.show(w)
			default:
				f.waiting = append(f.waiting, w)
			}
			return nil
		})
		if err == nil {
			for i := range f.groups {
				f.groups[i].asked = begun.UnixMilli()
			}
			f.rounds++
			return nil
		}
		if !f.bears(err) {
			return err
		}
		if err := network.Pause(ctx, network.Varied(f.pause)); err != nil {
			return err
		}
	}
}

// bears reports whether an error passes, so that the follower goes on, more rarely.
func (f *follower) bears(err error) bool {
	if !account.Passes(err) {
		return false
	}
	f.tell(late)
	f.pause = min(2*f.pause, longestPoll)
	return true
}

// since is from when on a group may have events that were not seen: a little before the newest
// one, and before it was asked last, since a quiet log gets events late too.
func (f *follower) since(group int) int64 {
	const quiet = 2 * time.Minute
	from, g := f.query.Since.UnixMilli(), &f.groups[group]
	if g.asked == 0 {
		if g.newest > 0 {
			from = max(from, g.newest-overlap)
		}
		return from
	}
	return max(from, min(g.newest, g.asked)-overlap, g.asked-quiet.Milliseconds())
}

// unread is from when on lines may be missing.
func (f *follower) unread() time.Time {
	from := f.since(0)
	for i := range f.groups {
		from = min(from, f.since(i))
	}
	return time.UnixMilli(from)
}

// round asks each group for what is new, and uses what has waited long enough.
func (f *follower) round(ctx context.Context) error {
	again := f.again
	for i := range f.Groups {
		g := &f.groups[i]
		const rarely = 10
		if g.missing > 0 && (f.rounds-g.missing)%rarely != 0 {
			continue
		}
		now := f.Account.Now().UnixMilli()
		err := f.news(ctx, i, filter{Group: f.Groups[i].Name, Since: f.since(i)})
		switch {
		case err == nil:
			g.asked, g.missing = now, 0
		case isMissing(err):
			f.missing(f.Groups[i])
			g.missing = f.rounds
		case f.bears(err):
			return nil
		default:
			return err
		}
	}
	f.rounds++
	if f.again > again {
		f.pause = min(2*f.pause, longestPoll)
	} else {
		f.pause = max(f.pause/2, f.Pace.usual().Poll)
	}
	f.sort()
	return f.release()
}

// news reads the new events of a group.
func (f *follower) news(ctx context.Context, group int, in filter) error {
	g := &f.groups[group]
	for {
		events, next, err := f.page(ctx, in)
		if err != nil {
			return err
		}
		for i := range events {
			e := &events[i]
			if e.group, e.function = in.Group, group; !g.seen.first(e.key(), e.Timestamp) {
				continue
			}
			g.newest = max(g.newest, e.Timestamp)
			if w, wanted := f.read(e); wanted {
				f.waiting = append(f.waiting, w)
			}
		}
		if next == "" {
			g.seen.forget(in.Since)
			return nil
		}
		in.Token = next
	}
}

// read reads an event as a line. wanted says that it is one of the request that is asked for; the
// others tell which lines are.
func (f *follower) read(e *event) (w waiting, wanted bool) {
	w = waiting{event: *e, line: f.line(f.of, e), rounds: f.rounds, came: time.Now()}
	return w, f.query.Request == "" || w.line.Request == f.query.Request
}

func (f *follower) sort() {
	slices.SortStableFunc(f.waiting, func(a, b waiting) int { return byTime(&a.event, &b.event) })
}

// release uses the events up to the last one that has waited long enough.
func (f *follower) release() error {
	hold := f.Pace.usual().Hold
	ready := 0
	for i := range f.waiting {
		if w := &f.waiting[i]; f.rounds > w.rounds+1 && time.Since(w.came) >= hold {
			ready = i + 1
		}
	}
	return f.shift(ready)
}

// flush uses all events that wait.
func (f *follower) flush() error {
	f.sort()
	return f.shift(len(f.waiting))
}

// shift uses the first n events that wait.
func (f *follower) shift(n int) error {
	for i := range f.waiting[:n] {
		if err := f.show(f.waiting[i]); err != nil {
			return err
		}
	}
	f.waiting = slices.Delete(f.waiting, 0, n)
	return nil
}

// show uses the line of an event.
func (f *follower) show(w waiting) error {
	if err := f.use(w.line); err != nil {
		return &usesError{err}
	}
	return nil
}
