package entry

import (
	"slices"
	"strings"

	"gatewright/sandbox/logs"
)

// The limits of a Log: entries, and bytes of their texts.
const (
	Most      = 200_000
	mostBytes = 64 << 20
)

// Log has the last entries of a log in their order. They are numbered from 0; the numbers
// stay when the first ones are dropped.
type Log struct {
	entries []Entry
	first   int
	bytes   int
	of      map[string]*Invocation
	// loose is for the stacks that are printed without a request.
	loose Invocation
}

// First is the number of the first entry that is kept, which is how many were dropped; End
// is the number after the last one.
func (g *Log) First() int { return g.first }

// End is the number after the last entry; see First.
func (g *Log) End() int { return g.first + len(g.entries) }

// At is an entry that is kept.
func (g *Log) At(n int) *Entry { return &g.entries[n-g.first] }

// Kept are the entries that are kept now. They do not change when others are added.
func (g *Log) Kept() (entries []Entry, first int) { return slices.Clip(g.entries), g.first }

// Add adds entries at the end, and drops the first ones if there are too many.
func (g *Log) Add(entries []Entry) {
	if g.of == nil {
		g.of = make(map[string]*Invocation)
	}
	for i := range entries {
		g.add(entries[i])
	}
	g.trim()
}

func (g *Log) add(e Entry) {
	e.Environment, e.Function = g.known(e)
	v := &g.loose
	if e.Request != "" {
		if v = g.of[e.Request]; v == nil {
			v = &Invocation{Request: strings.Clone(e.Request)}
			g.of[v.Request] = v
		}
		// The lines of an invocation share one text of its id.
		e.Request, e.Of, v.newest = v.Request, v, g.End()
	}
	if e.Level == "" {
		var on bool
		was := v.tracing
		if on, v.tracing = was.goesOn(e.Text); on && g.follows(v, was) {
			e.Kind, e.Severity = Continued, Plain
		} else if v.tracing = startsTrace(e.Text); v.tracing == noTrace {
			v.plainBefore = true
		}
	} else {
		v.tracing, v.plainBefore = noTrace, false
	}
	if e.Of != nil {
		v.learn(&e)
	}
	g.bytes += weight(e)
	g.entries = append(g.entries, e)
}

// follows reports whether an indented line, or the next line of a stack, has something that
// it goes on with.
func (g *Log) follows(v *Invocation, was trace) bool { return was != noTrace || v.plainBefore }

// known are the environment and function of an entry, as the same text that the entry before
// it has.
func (g *Log) known(e Entry) (environment, function string) {
	environment, function = e.Environment, e.Function
	if len(g.entries) > 0 {
		last := &g.entries[len(g.entries)-1]
		if last.Environment == environment {
			environment = last.Environment
		}
		if last.Function == function {
			function = last.Function
		}
	}
	return environment, function
}

func weight(e Entry) int { return len(e.Text) }

// trim drops the first entries if there are too many. It drops a part of them at once, so
// that adding one takes the same time on average.
func (g *Log) trim() {
	if len(g.entries) <= Most && g.bytes <= mostBytes {
		return
	}
	n, size := 0, g.bytes
	for n < len(g.entries) && (len(g.entries)-n > Most-Most/8 || size > mostBytes-mostBytes/8) {
		size -= weight(g.entries[n])
		n++
	}
	for i := range n {
		e := &g.entries[i]
		if e.Of == nil {
			continue
		}
		if e.Kind == Start {
			e.Of.hasStart = false
		}
		if e.Of.newest < g.first+n {
			delete(g.of, e.Of.Request)
		}
	}
	g.entries, g.first, g.bytes = slices.Clone(g.entries[n:]), g.first+n, size
}

// Quiet reports whether an entry is about the running of the function, and not what the
// function wrote.
func (e *Entry) Quiet() bool { return e.Level == logs.Platform && e.Severity == Plain }

// Heading reports whether an entry stands for its invocation while that is folded: its START,
// or its REPORT if the log begins after the START.
func (e *Entry) Heading() bool {
	return e.Of != nil && (e.Kind == Start || e.Kind == Report && !e.Of.hasStart)
}

// Folded reports whether an entry is not shown while its invocation is folded, because the
// heading says the same.
func (e *Entry) Folded() bool {
	switch e.Kind {
	case End, Outcome:
		return e.Of != nil && (e.Of.hasStart || e.Of.Ended)
	case Report:
		return !e.Heading()
	}
	return e.Kind == Continued
}

// mostContinued is how far the texts that continue an entry are looked for.
const mostContinued = 1000

// More are the texts that continue an entry.
func (g *Log) More(n int) []string {
	var texts []string
	e := g.At(n)
	if e.Level != "" || e.Kind != Written {
		return nil
	}
	for i := n + 1; i < min(g.End(), n+mostContinued); i++ {
		next := g.At(i)
		if next.Of != e.Of {
			continue
		}
		if next.Kind != Continued {
			break
		}
		texts = append(texts, next.Text)
	}
	return texts
}

// Shown is the entry that shows entry n: itself, the one that it continues, or the heading of
// its invocation.
func (g *Log) Shown(n int) int {
	e := g.At(n)
	if !e.Folded() {
		return n
	}
	for i := n - 1; i >= max(g.first, n-Most); i-- {
		other := g.At(i)
		if other.Of == e.Of && (e.Kind == Continued && other.Kind != Continued || e.Kind != Continued && other.Heading()) {
			return i
		}
	}
	for i := n + 1; i < g.End() && e.Kind != Continued; i++ {
		if other := g.At(i); other.Of == e.Of && other.Heading() {
			return i
		}
	}
	return n
}

// Fails reports whether an entry is a place that one looks for after a failure: an error, or
// the heading of an invocation that timed out or whose process ended.
func (e *Entry) Fails() bool {
	return e.Severity.Bad() && !e.Folded() || e.Heading() && e.Of.Died
}
