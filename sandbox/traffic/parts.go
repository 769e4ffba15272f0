package traffic

import (
	"strings"
	"time"

	"gatewright/sandbox/function"
)

// PartKind is what happens in a part of a call.
type PartKind string

// The kinds of parts, in the order in which they happen. Gate is reading the body, finding out who
// calls, deciding, and making the event; Wait until a worker has the call, without Prepare, in which
// its packages are installed or its program is built, and Start, in which that worker starts. Handler is
// from the event's delivery to the result, and Answer from there until the answer is written.
const (
	Gate    PartKind = "gate"
	Wait    PartKind = "wait"
	Prepare PartKind = "prepare"
	Start   PartKind = "start"
	Handler PartKind = "handler"
	Answer  PartKind = "answer"
)

// PartKinds are all kinds of parts, in their order.
var PartKinds = []PartKind{Gate, Wait, Prepare, Start, Handler, Answer}

// Part is a part of the time of a call, in nanoseconds.
type Part struct {
	Kind PartKind      `json:"kind"`
	Took time.Duration `json:"took"`
}

// partsOf are the parts between stamps: a stamp begins the part of its place after the gate, which ends where
// the next one begins.
func partsOf(t *function.Times) []Part {
	parts := make([]Part, 0, len(t))
	kind, from := Gate, time.Duration(0)
	end := func(at time.Duration) {
		if at = min(max(at, from), t.Took()); at > from {
			parts = append(parts, Part{kind, at - from})
			from = at
		}
	}
	for stamp, next := range PartKinds[1:] {
		// A call that waited may have been stamped by a worker that another call got.
		if t[stamp] > 0 {
			end(t[stamp])
			kind = next
		}
	}
	end(t.Took())
	return parts
}

// Stage is the part in which a call is now.
func Stage(f *function.Flight, now time.Time) PartKind {
	t := f.Times(now)
	parts := partsOf(&t)
	return parts[len(parts)-1].Kind
}

// PartsInWords are the parts of a call in one line: gate 0.4 ms, wait 2 ms, handler 2.6 s.
func (c *Call) PartsInWords(took func(time.Duration) string) string {
	words := make([]string, len(c.Parts))
	for i, p := range c.Parts {
		words[i] = string(p.Kind) + " " + took(p.Took)
	}
	return strings.Join(words, ", ")
}
