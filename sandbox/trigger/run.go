package trigger

import (
	"context"
	"time"

	"gatewright/internal/schedule"
)

// Entry is a function with a schedule.
type Entry struct {
	Environment, Function string
	Schedule              schedule.Schedule
}

// tick is how long Run sleeps at most. A timer does not notice that the clock was moved, as
// it is when a suspended machine wakes up.
const tick = time.Minute

// late is how late an Entry may still fire. Times that passed while the machine slept are
// left out, as if the sandbox had not run.
const late = 2 * tick

// Run fires the entries when their times come, until ctx ends. It calls entries at the
// start and after each receive from changed; an entry that is still there keeps its times.
// A rate counts from the moment its entry first appeared. fire gets the time that the
// schedule named, in a goroutine of its own that Run does not wait for.
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
				due[entry] = entry.next(when, at)
			}
		}
	}
}

// now is the time of the wall clock, without the monotonic one: Run must notice that it was
// moved.
func now() time.Time { return time.Now().Round(0).UTC() }

// never is after every time that a schedule names.
var never = time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)

// next is the time after now at which the entry fires, if previous was one of its times.
func (e Entry) next(previous, now time.Time) time.Time {
	if next, ok := e.Schedule.NextAfter(previous, now); ok {
		return next
	}
	return never
}

// plan is when each entry fires next.
func plan(due map[Entry]time.Time, entries []Entry, at time.Time) map[Entry]time.Time {
	planned := make(map[Entry]time.Time, len(entries))
	for _, entry := range entries {
		when, known := due[entry]
		if !known {
			when = entry.next(at, at)
		}
		planned[entry] = when
	}
	return planned
}

func untilNext(due map[Entry]time.Time, at time.Time) time.Duration {
	wait := tick
	for _, when := range due {
		wait = min(wait, max(when.Sub(at), 0))
	}
	return wait
}
