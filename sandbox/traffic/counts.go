package traffic

import (
	"cmp"
	"slices"
	"time"
)

// Window is a span of time that ends now.
type Window string

// The windows: the last five minutes, the last hour, and all since the sandbox began.
const (
	FiveMinutes Window = "5m"
	Hour        Window = "1h"
	All         Window = "all"
)

// Steps is how many steps a window is divided into: ten seconds, or two minutes each. All has
// the steps of an hour.
const Steps = 30

// lengths are those of the steps, by window.
var lengths = map[Window]time.Duration{FiveMinutes: 10 * time.Second, Hour: 2 * time.Minute, All: 2 * time.Minute}

// Valid reports whether a window is one of those.
func (w Window) Valid() bool { return lengths[w] > 0 }

// Counts are the calls of one function or path in a window.
type Counts struct {
	Environment string `json:"environment"`
	// Function is set for a function, API and Path for a path.
	Function string `json:"function"`
	API      string `json:"api"`
	Path     string `json:"path"`
	Calls    int    `json:"calls"`
	Failed   int    `json:"failed"`
	// Refused are the calls that were answered without the function.
	Refused int `json:"refused"`
	// P50, P95 and Most are durations in nanoseconds, to about 3 %: of the handler for a
	// function, from the request to its answer for a path.
	P50  time.Duration `json:"p50"`
	P95  time.Duration `json:"p95"`
	Most time.Duration `json:"most"`
	// Last is when the last call came, LastFailed the last that failed; zero for none.
	Last       time.Time `json:"last"`
	LastFailed time.Time `json:"lastFailed"`
	// Steps are the steps of the window with calls, the oldest first; see Spread.
	Steps []Step `json:"steps"`
}

// Spread are all steps of the window, the oldest first.
func (c *Counts) Spread() [Steps]Step {
	var all [Steps]Step
	for i := range all {
		all[i].At = i
	}
	for _, step := range c.Steps {
		if step.At >= 0 && step.At < Steps {
			all[step.At] = step
		}
	}
	return all
}

// Step counts the calls in one step of a window. At is its place, from 0. P95 is in
// nanoseconds.
type Step struct {
	At     int           `json:"at"`
	Calls  int           `json:"calls"`
	Failed int           `json:"failed"`
	P95    time.Duration `json:"p95"`
}

// Report is what was counted in a window.
type Report struct {
	Window Window `json:"window"`
	// From is the time of the first call that may be counted: a window begins with a whole
	// step. Until is when the report was made. Length is the length of a step in nanoseconds.
	From   time.Time     `json:"from"`
	Until  time.Time     `json:"until"`
	Length time.Duration `json:"length"`
	// Functions and Paths have only those that were called, sorted by name. Whole has the
	// sums of each environment.
	Functions []Counts `json:"functions"`
	Paths     []Counts `json:"paths"`
	Whole     []Counts `json:"whole"`
	// Uses are what functions used since the sandbox began, in any window: those of calls that were
	// answered, and those of which no call is known.
	Uses []UseCounts `json:"uses"`
	// Kept is the number of calls that are kept, of at most Most, and Bytes about how much
	// memory they take with the counts.
	Kept  int `json:"kept"`
	Most  int `json:"most"`
	Bytes int `json:"bytes"`
}

// subject is what is counted: a function, a path, or a whole environment.
type subject struct{ environment, function, api, path string }

// bucket counts the calls in one step.
type bucket struct {
	// step is the number of the step since 1970 by its length.
	step    int64
	calls   uint32
	failed  uint32
	refused uint32
	took    histogram
}

func (b *bucket) add(c *Call, took time.Duration) {
	b.calls++
	if c.Failed {
		b.failed++
	}
	if c.Refused() {
		b.refused++
	}
	b.took.add(took)
}

func (b *bucket) merge(other *bucket) {
	b.calls += other.calls
	b.failed += other.failed
	b.refused += other.refused
	b.took.merge(&other.took)
}

// tally counts the calls of one subject: in fine and coarse steps, and since the beginning.
type tally struct {
	fine, coarse     []bucket
	whole            bucket
	last, lastFailed time.Time
}

// counts are the tallies of all subjects.
type counts struct {
	begun    time.Time
	subjects map[subject]*tally
}

func newCounts(begun time.Time) counts {
	return counts{begun: begun, subjects: make(map[subject]*tally)}
}

func (c *counts) add(call *Call) {
	count := func(of subject, took time.Duration) {
		t := c.subjects[of]
		if t == nil {
			t = new(tally)
			c.subjects[of] = t
		}
		t.add(call, took)
	}
	count(subject{environment: call.Environment}, call.Took)
	if call.Function != "" {
		count(subject{environment: call.Environment, function: call.Function}, call.Ran)
	}
	if call.Path != "" {
		count(subject{environment: call.Environment, api: call.API, path: call.Path}, call.Took)
	}
}

func (t *tally) add(c *Call, took time.Duration) {
	end := c.Time.Add(c.Took)
	t.whole.add(c, took)
	in(&t.fine, end, lengths[FiveMinutes]).add(c, took)
	in(&t.coarse, end, lengths[Hour]).add(c, took)
	if end.After(t.last) {
		t.last = end
	}
	if c.Failed && end.After(t.lastFailed) {
		t.lastFailed = end
	}
}

// in is the bucket of a time. Buckets are in the order of their steps; at most Steps are kept.
func in(buckets *[]bucket, at time.Time, length time.Duration) *bucket {
	step := at.UnixNano() / int64(length)
	all := *buckets
	i := len(all)
	for i > 0 && all[i-1].step > step {
		i--
	}
	if i > 0 && all[i-1].step == step {
		return &all[i-1]
	}
	if len(all) == Steps {
		if i == 0 {
			// The call ended before all that is kept: it is counted with the oldest step.
			return &all[0]
		}
		// The oldest bucket makes room.
		copy(all, all[1:i])
		all[i-1] = bucket{step: step}
		return &all[i-1]
	}
	all = slices.Insert(all, i, bucket{step: step})
	*buckets = all
	return &all[i]
}

// Report counts the calls in a window that ends now. Calls are not held up by it.
func (s *Store) Report(w Window, now time.Time) Report {
	length := lengths[w]
	last := now.UnixNano() / int64(length)
	r := Report{
		Window: w, From: time.Unix(0, (last-Steps+1)*int64(length)).UTC(), Until: now, Length: length,
		Functions: []Counts{}, Paths: []Counts{}, Whole: []Counts{}, Most: s.calls,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take(false)
	if w == All || r.From.Before(s.counts.begun) {
		r.From = s.counts.begun
	}
	const callSize = 600 // about what a Call takes without the texts of its detail
	r.Kept, r.Bytes = len(s.ring), s.held+len(s.ring)*callSize
	r.Uses = s.uses.since(0)
	for of, t := range s.counts.subjects {
		r.Bytes += t.size()
		c := t.in(w, last-Steps+1, last)
		if c.Calls == 0 {
			continue
		}
		c.Environment, c.Function, c.API, c.Path = of.environment, of.function, of.api, of.path
		switch {
		case of.function != "":
			r.Functions = append(r.Functions, c)
		case of.path != "":
			r.Paths = append(r.Paths, c)
		default:
			r.Whole = append(r.Whole, c)
		}
	}
	for _, all := range [][]Counts{r.Functions, r.Paths, r.Whole} {
		slices.SortFunc(all, func(a, b Counts) int {
			return cmp.Or(cmp.Compare(a.Environment, b.Environment), cmp.Compare(a.API, b.API), cmp.Compare(a.Path, b.Path),
				cmp.Compare(a.Function, b.Function))
		})
	}
	return r
}

// in are the counts in the steps from first to last.
func (t *tally) in(w Window, first, last int64) Counts {
	buckets := t.coarse
	if w == FiveMinutes {
		buckets = t.fine
	}
	c := Counts{Last: t.last, LastFailed: t.lastFailed, Steps: make([]Step, 0, len(buckets))}
	sum := new(bucket)
	for i := range buckets {
		b := &buckets[i]
		if b.step < first || b.step > last {
			continue
		}
		sum.merge(b)
		c.Steps = append(c.Steps,
			Step{At: int(b.step - first), Calls: int(b.calls), Failed: int(b.failed), P95: b.took.percentile(95)})
	}
	if w == All {
		sum = &t.whole
	}
	c.Calls, c.Failed, c.Refused = int(sum.calls), int(sum.failed), int(sum.refused)
	c.P50, c.P95, c.Most = sum.took.percentile(50), sum.took.percentile(95), sum.took.most
	return c
}

// size is about how many bytes a tally takes.
func (t *tally) size() int {
	const fixed, bucketSize, classSize = 250, 64, 8
	size := fixed + classSize*cap(t.whole.took.classes)
	for _, buckets := range [][]bucket{t.fine, t.coarse} {
		size += bucketSize * cap(buckets)
		for i := range buckets {
			size += classSize * cap(buckets[i].took.classes)
		}
	}
	return size
}
