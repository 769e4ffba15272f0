package schedule

import (
	"context"
	"time"
)

// Entry is a function that runs by itself.
type Entry struct {
	Environment, Function string
	Schedule              Schedule
}

// tick is how long Run sleeps at most. A machine that was suspended has moved the
// clock without the timer.
const tick = time.Minute

// late is how late an Entry may still fire. What came while the machine slept
// does not: it is as if the sandbox had not run.
const late = 2 * tick

// Run fires the entries when their times come, until ctx ends. The entries are
// asked for at the start and after each receive from changed; one that is still
// there keeps its times. A rate counts from when its entry came first. fire gets
// the time that the schedule named, in a goroutine of its own that Run does not
// wait for.
func Run(ctx context.Context, entries func() []Entry, changed <-chan struct{}, fire func(Entry, time.Time)) {
	timer := time.NewTimer(tick)
	defer timer.Stop()
	due := make(map[Entry]time.Time)
	due = plan(due, entries(), now())
	for {
		timer.Reset(untilNext(due, now()))
		select {
		case <-ctx.Done():
			return
		case _, open := <-changed:
			if !open {
				changed = nil
			}
			due = plan(due, entries(), now())
		case <-timer.C:
			at := now()
			for entry, when := range due {
				if when.After(at) {
					continue
				}
				if at.Sub(when) < late {
					go fire(entry, when)
				}
				due[entry] = entry.Schedule.following(when, at)
			}
		}
	}
}

// now is the clock on the wall: Run must see that it was moved.
func now() time.Time { return time.Now().Round(0).UTC() }

// never is after every time that a schedule names.
var never = time.Date(lastYear+1000, 1, 1, 0, 0, 0, 0, time.UTC)

// plan is when each entry comes next.
func plan(due map[Entry]time.Time, entries []Entry, at time.Time) map[Entry]time.Time {
	planned := make(map[Entry]time.Time, len(entries))
	for _, entry := range entries {
		when, known := due[entry]
		if !known {
			when = entry.Schedule.following(at, at)
		}
		planned[entry] = when
	}
	return planned
}

// following is the next time after one that has come, and after now: times that
// were missed are left out, and a rate keeps its rhythm.
func (s Schedule) following(when, at time.Time) time.Time {
	if s.every > 0 {
		missed := max(at.Sub(when)/s.every, 0)
		return when.Add((missed + 1) * s.every)
	}
	next, ok := s.Next(at)
	if !ok {
		return never
	}
	return next
}

func untilNext(due map[Entry]time.Time, at time.Time) time.Duration {
	wait := tick
	for _, when := range due {
		wait = min(wait, max(when.Sub(at), 0))
	}
	return wait
}
