package entry

import (
	"iter"
	"strings"

	"gatewright/sandbox/logs"
)

// The limits of a Log: entries, and bytes of their texts.
const (
	Most      = 200_000
	mostBytes = 64 << 20
)

// inChunk is how many entries are kept together, and dropped at once: no entry is moved, so
// adding one always takes the same time.
const inChunk = 4096

// Log has the last entries of a log, in order. They are numbered from 0; the numbers
// stay when the first ones are dropped.
type Log struct {
	// chunks have inChunk entries each, the last one at most so many.
	chunks [][]Entry
	// first is the number of the first entry that is kept, end the one after the last.
	first, end int
	// sizes are the bytes of the texts of each chunk, bytes those of all.
	sizes []int
	bytes int
	of    map[string]*Invocation
	// loose is for the stacks that are printed without a request.
	loose Invocation
}

// First is the number of the first entry that is kept, which is how many were dropped; End
// is the number after the last one.
func (g *Log) First() int { return g.first }

// End is the number after the last entry; see First.
func (g *Log) End() int { return g.end }

// At is an entry that is kept.
func (g *Log) At(n int) *Entry { n -= g.first; return &g.chunks[n/inChunk][n%inChunk] }

// Kept are the entries that are kept now with their numbers, and the number after the last
// one. Another goroutine may read their lines while entries are added.
func (g *Log) Kept() (entries iter.Seq2[int, *Entry], end int) {
	chunks, first, end := append([][]Entry(nil), g.chunks...), g.first, g.end
	return func(yield func(int, *Entry) bool) {
		for i := range end - first {
			if !yield(first+i, &chunks[i/inChunk][i%inChunk]) {
				return
			}
		}
	}, end
}

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
	last := len(g.chunks) - 1
	if last < 0 || len(g.chunks[last]) == inChunk {
		size := inChunk
		if last < 0 {
			size = 0 // most logs are short
		}
		g.chunks, g.sizes, last = append(g.chunks, make([]Entry, 0, size)), append(g.sizes, 0), last+1
	}
	g.chunks[last] = append(g.chunks[last], e)
	g.sizes[last] += len(e.Text)
	g.bytes += len(e.Text)
	g.end++
}

// follows reports whether an indented line, or the next line of a stack, has something that
// it goes on with.
func (g *Log) follows(v *Invocation, was trace) bool { return was != noTrace || v.plainBefore }

// known are the environment and function of an entry, as the same text that the entry before
// it has.
func (g *Log) known(e Entry) (environment, function string) {
	environment, function = e.Environment, e.Function
	if g.end > g.first {
		last := g.At(g.end - 1)
		if last.Environment == environment {
			environment = last.Environment
		}
		if last.Function == function {
			function = last.Function
		}
	}
	return environment, function
}

// trim drops the first chunks if there are too many entries.
func (g *Log) trim() {
	for len(g.chunks) > 1 && (g.end-g.first > Most || g.bytes > mostBytes) {
		chunk := g.chunks[0]
		for i := range chunk {
			e := &chunk[i]
			if e.Of == nil {
				continue
			}
			if e.Kind == Start {
				e.Of.hasStart = false
			}
			if e.Of.newest < g.first+len(chunk) {
				delete(g.of, e.Of.Request)
			}
		}
		g.first, g.bytes = g.first+len(chunk), g.bytes-g.sizes[0]
		g.chunks[0] = nil
		g.chunks, g.sizes = g.chunks[1:], g.sizes[1:]
	}
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
