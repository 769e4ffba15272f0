package livemap

import (
	"slices"
	"time"

	"gatewright/model/access"
	"gatewright/sandbox/traffic"
	"gatewright/tui/dashboard/board"
)

// trip is a call on its way over the map. It is drawn when it has ended, a moment later than it was,
// and shows what really happened: where it came in, what it called, where it stopped.
type trip struct {
	call *traffic.Call
	// caller is the index of the caller as whom it was decided; -1 for none.
	caller int
	begun  time.Time
}

// The parts of a trip, and how long what stopped it stays.
const (
	atGate   = 150 * time.Millisecond
	onEdge   = 450 * time.Millisecond
	inside   = 120 * time.Millisecond
	onWire   = 350 * time.Millisecond
	settling = 250 * time.Millisecond
	holding  = 3 * time.Second
)

// moves is how long something of a trip moves, lasts how long it is on the map.
func (t *trip) moves() time.Duration {
	switch {
	case t.call.Refused():
		return atGate
	case len(t.call.Uses) == 0:
		return atGate + onEdge + inside
	}
	return atGate + onEdge + inside + onWire
}

func (t *trip) lasts() time.Duration {
	if t.call.Refused() || t.call.Failed {
		return t.moves() + holding
	}
	return t.moves() + settling
}

// share is how far a part of a trip is, from 0 to 1; before it begins less than 0.
func (t *trip) share(now time.Time, from, length time.Duration) float64 {
	return float64(now.Sub(t.begun)-from) / float64(length)
}

// key is a path of an API, or a function.
type key struct{ api, name string }

// motion is what moves on the map.
type motion struct {
	// still says that nothing may move.
	still bool
	// held says that a person holds the map still; counts go on.
	held  bool
	trips []*trip
	// recent are when calls ended in the second before taken, when the last ones came: of each path and of
	// each function.
	recent map[key][]time.Time
	all    []time.Time
	taken  time.Time
	// actions are those of the last call of each path.
	actions map[key]access.Action
}

func newMotion(still bool) motion {
	return motion{still: still, recent: make(map[key][]time.Time), actions: make(map[key]access.Action)}
}

// The rates, in calls a second, from which calls are a flow with its number and no longer points: of
// one path, and of all. thick is from which a flow is thick.
const (
	flowOfOne, flowOfAll = 4, 12
	thick                = 50
	// counted is over which time a rate is counted.
	counted = time.Second
)

// came adds a call that has ended.
func (m *motion) came(call *traffic.Call, caller int, now time.Time) {
	ended := call.Time.Add(call.Took)
	m.taken = now
	m.all = append(m.since(m.all, now), ended)
	for _, k := range []key{{call.API, call.Path}, {"", call.Function}} {
		if k.name != "" {
			m.recent[k] = append(m.since(m.recent[k], now), ended)
		}
	}
	path := key{call.API, call.Path}
	m.actions[path] = actionOf(call.Method)
	const most = 24
	stops, crowded := call.Failed || call.Refused(), len(m.recent[path]) > flowOfOne || len(m.trips) >= most
	switch {
	case m.still, m.held, !stops && (crowded || len(m.all) > flowOfAll):
		return
	case crowded:
		// What stopped a call is said once for a path, however many there are.
		m.trips = slices.DeleteFunc(m.trips, func(t *trip) bool { return t.call.API == call.API && t.call.Path == call.Path })
	}
	m.trips = append(m.trips, &trip{call: call, caller: caller, begun: now})
}

// since are the times of the last second that is known of: what ended after the last calls came is not
// known yet.
func (m *motion) since(times []time.Time, now time.Time) []time.Time {
	if now.Sub(m.taken) < counted {
		now = m.taken
	}
	first := 0
	for first < len(times) && now.Sub(times[first]) >= counted {
		first++
	}
	return times[first:]
}

// flow is how many calls of a path came in the last second; 0 while they are points.
func (m *motion) flow(k key, now time.Time) int {
	n := len(m.since(m.recent[k], now))
	if n <= flowOfOne && len(m.since(m.all, now)) <= flowOfAll {
		return 0
	}
	return n
}

// prune forgets what is over.
func (m *motion) prune(now time.Time) {
	m.trips = slices.DeleteFunc(m.trips, func(t *trip) bool { return now.Sub(t.begun) >= t.lasts() })
	for k, times := range m.recent {
		if times = m.since(times, now); len(times) == 0 {
			delete(m.recent, k)
		} else {
			m.recent[k] = times
		}
	}
	m.all = m.since(m.all, now)
}

// frame is when the map has to be drawn next; 0 if nothing changes by itself.
func (m *motion) frame(now time.Time) time.Duration {
	next := time.Duration(0)
	sooner := func(d time.Duration) {
		if d = max(d, board.Frame); next == 0 || d < next {
			next = d
		}
	}
	for _, t := range m.trips {
		at := now.Sub(t.begun)
		if at < t.moves() {
			sooner(board.Frame)
		} else {
			sooner(t.lasts() - at)
		}
	}
	return next
}

// actionOf is the action of a call with a method.
func actionOf(method string) access.Action {
	action, _ := access.Terms{}.ActionOf(method)
	return action
}

// usual is the ink of what the last call of a row did.
func (m *motion) usual(r *row) ink {
	for _, p := range r.paths {
		if action, known := m.actions[key{r.api, p.Name}]; known && action != 0 {
			return inkOf(action)
		}
	}
	return strong
}
