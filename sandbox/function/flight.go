package function

import (
	"sync"
	"sync/atomic"
	"time"
)

// Flight is a call on its way, from when it was asked for until it is answered. What happens to it is
// stamped as it happens, so nothing is worked out later. Several goroutines may use it; the
// methods of a nil Flight do nothing.
type Flight struct {
	// What the call is, which does not change once the function is called: see traffic.Call.
	Environment, API, Path, Method, Function, Kind string
	// Began is when the call was asked for.
	Began time.Time

	stamps [stamps]atomic.Int64

	mu sync.Mutex
	// over says that the call was answered.
	over bool
	uses []Use
	left map[Used]UseCount
}

// Stamp is something that happens to a call.
type Stamp int

// The stamps, in the order in which they happen, if they do: the call was handed to its function; what
// it waits for is prepared, that is installed or built; its worker starts; its worker gets the event;
// its result is there, or that there will be none.
const (
	Handed Stamp = iota
	Prepares
	Starts
	Delivered
	Returned
	stamps
)

// Stamp remembers when something happened; of what happens again, the last time counts.
func (f *Flight) Stamp(s Stamp, at time.Time) {
	if f != nil {
		f.stamps[s].Store(f.since(at))
	}
}

// Now stamps what happens now, unless it is stamped already.
func (f *Flight) Now(s Stamp) {
	if f != nil && f.stamps[s].Load() == 0 {
		f.stamps[s].CompareAndSwap(0, f.since(time.Now()))
	}
}

// Deliver stamps that a worker gets the event. When it was prepared and started belongs to the call if
// this is its first one, otherwise the call only waited.
func (f *Flight) Deliver(at time.Time, first bool, prepares, starts time.Time) {
	switch {
	case f == nil || f.stamps[Delivered].Load() != 0:
		// It is a further attempt of the same call.
		return
	case first:
		f.Stamp(Prepares, prepares)
		f.Stamp(Starts, starts)
	case f.stamps[Prepares].Load() != 0:
		// A worker was being started for the call, and another one gets it.
		f.stamps[Prepares].Store(0)
		f.stamps[Starts].Store(0)
	}
	f.Stamp(Delivered, at)
}

// Return says that the call was not read by the worker that got it: it waits again.
func (f *Flight) Return() {
	if f != nil {
		f.stamps[Delivered].Store(0)
	}
}

// since is a time as it is stamped: never 0, which is no stamp.
func (f *Flight) since(at time.Time) int64 { return max(1, int64(at.Sub(f.Began))) }

// Times are the stamps of a call, each as the time since it began, 0 for what did not happen; the last
// one is its end.
type Times [stamps + 1]time.Duration

// Took is the whole time.
func (t *Times) Took() time.Duration { return t[stamps] }

// Times are the stamps so far.
func (f *Flight) Times(now time.Time) (t Times) {
	t[stamps] = max(1, now.Sub(f.Began))
	for i := range f.stamps {
		// What happens now is not a part of what was.
		if at := time.Duration(f.stamps[i].Load()); at <= t[stamps] {
			t[i] = at
		}
	}
	return t
}

// Use is a use by a function while a call ran.
type Use struct {
	// Resource is what access of a function calls it: table/NAME, function/NAME, pool,
	// parameter/NAME, secret/NAME, or the word of another service, such as s3.
	Resource string `json:"resource"`
	// Operation is the name of the action in AWS, such as GetItem.
	Operation string `json:"operation"`
	// At is when it began, since the call did, and Took how long what was used took for it; both are
	// in nanoseconds.
	At   time.Duration `json:"at"`
	Took time.Duration `json:"took"`
	// Failed says that it was refused or failed, and Why why; otherwise that is "".
	Failed bool   `json:"failed"`
	Why    string `json:"why"`
}

// Told is a use by a function, as reported by the service that answers it now.
type Told struct {
	Environment, Function string
	// Trace is the trace header of the request, which clients of the cloud send on as the function got it
	// (https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader).
	Trace string
	Began time.Time
	// Resources are what is used, each once. They, Operation and Why are as in Use.
	Resources      []string
	Operation, Why string
}

// TraceHeader is the name of that header.
const TraceHeader = "X-Amzn-Trace-Id"

// InWords is a use in one line: table/books GetItem at 12 ms, took 0.8 ms. It is not made safe for a
// terminal.
func (u *Use) InWords(took func(time.Duration) string) string {
	words := u.Resource + " " + u.Operation + " at " + took(u.At) + ", took " + took(u.Took)
	if u.Failed {
		words += ", failed: " + u.Why
	}
	return words
}

// Used is what a function used, and how, see Use.
type Used struct{ Resource, Operation string }

// Used is what was used, and how.
func (u *Use) Used() Used { return Used{u.Resource, u.Operation} }

// UseCount counts uses.
type UseCount struct{ Calls, Failed int }

// And counts a further use.
func (c UseCount) And(u *Use) UseCount {
	c.Calls++
	if u.Failed {
		c.Failed++
	}
	return c
}

// MostUses is how many uses of one call are remembered; further ones are counted.
const MostUses = 100

// Use remembers a use that began at a time. It is false if the call is answered already.
func (f *Flight) Use(u Use, began time.Time) bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch u.At = began.Sub(f.Began); {
	case f.over:
		return false
	case len(f.uses) < MostUses:
		f.uses = append(f.uses, u)
	default:
		if f.left == nil {
			f.left = make(map[Used]UseCount)
		}
		f.left[u.Used()] = f.left[u.Used()].And(&u)
	}
	return true
}

// IsOver reports whether the call is answered.
func (f *Flight) IsOver() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.over
}

// End says that the call is answered, and returns its stamps and what its function used. What comes
// later is none of the call's.
func (f *Flight) End(now time.Time) (t Times, uses []Use, left map[Used]UseCount) {
	f.mu.Lock()
	f.over = true
	uses, left = f.uses, f.left
	f.mu.Unlock()
	return f.Times(now), uses, left
}
