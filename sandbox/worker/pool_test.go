package worker

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/test/await"
)

// stalled is a pool whose workers start and come no further, and one worker that has answered and
// does not ask for more, as if its handler had left work behind.
func stalled(t *testing.T, most int) *pool {
	t.Helper()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = most })
	f.Apply([]function.Spec{{Environment: "dev", Name: "items", Runtime: model.Go, Folder: t.TempDir()}})
	p := f.pool("dev")
	late := &worker{spec: p.spec, generation: p.generation, state: busy, current: &invocation{answered: true}}
	p.watching.Lock()
	p.mu.Lock()
	p.workers[late] = struct{}{}
	p.mu.Unlock()
	t.Cleanup(func() {
		p.mu.Lock()
		delete(p.workers, late)
		p.mu.Unlock()
		p.watching.Unlock()
	})
	return p
}

// starts is how many workers are starting, and how many calls wait.
func (p *pool) startsAndWaiting() (starts, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, starts, _ = p.count()
	return starts, len(p.waiting)
}

func TestEachCallThatWaitsTooLongForAWorkerThatAnsweredGetsAnother(t *testing.T) {
	t.Parallel()
	p := stalled(t, 4)
	for n := 1; n <= 3; n++ {
		if _, err := p.accept(&invocation{done: func(function.Answer, error) {}}); err != nil {
			t.Fatal(err)
		}
		// The worker that has answered could take one of the calls.
		await.Until(t, "a worker for the call", func() bool {
			starts, _ := p.startsAndWaiting()
			return starts == n
		})
	}
	// There are no more workers than may be.
	if _, err := p.accept(&invocation{done: func(function.Answer, error) {}}); err != nil {
		t.Fatal(err)
	}
	p.growLater()
	if starts, waiting := p.startsAndWaiting(); starts != 3 || waiting != 4 {
		t.Errorf("%d workers start for %d calls", starts, waiting)
	}
}

func TestARemovedFunctionRefusesCalls(t *testing.T) {
	t.Parallel()
	p := stalled(t, 2)
	refused := make(chan error, 1)
	if _, err := p.accept(&invocation{done: func(_ function.Answer, err error) { refused <- err }}); err != nil {
		t.Fatal(err)
	}
	p.end(false)
	_, now := p.accept(&invocation{})
	for _, err := range []error{await.Next(t, "the error of the call that waits", refused), now} {
		var e *function.Error
		if !errors.As(err, &e) || e.Kind != function.Closed || e.Text != "it was removed from the project" || e.Function != "items" || e.Environment != "dev" {
			t.Errorf("%+v", err)
		}
	}
	if _, waiting := p.startsAndWaiting(); waiting != 0 {
		t.Errorf("%d calls wait", waiting)
	}
}

// waits are the ids of the calls that wait.
func (p *pool) waits() string {
	var ids []string
	for _, i := range p.waiting {
		ids = append(ids, i.id)
	}
	return strings.Join(ids, " ")
}

func TestNestedCallsWaitBeforeThoseFromOutside(t *testing.T) {
	t.Parallel()
	p := &pool{spec: new(function.Spec), workers: make(map[*worker]struct{})}
	for _, step := range []struct {
		add    func(*invocation)
		id     string
		nested bool
		want   string
	}{
		{p.queue, "a", false, "a"},
		{p.queue, "n1", true, "n1 a"},
		{p.queue, "b", false, "n1 a b"},
		{p.queue, "n2", true, "n1 n2 a b"},
		{p.queueFirst, "c", false, "n1 n2 c a b"},
		{p.queueFirst, "n0", true, "n0 n1 n2 c a b"},
	} {
		if step.add(&invocation{id: step.id, nested: step.nested}); p.waits() != step.want {
			t.Errorf("after %s there wait %s, not %s", step.id, p.waits(), step.want)
		}
	}
	if i := p.nextWaiting(); i.id != "n0" || p.waits() != "n1 n2 c a b" || p.nestedWaiting() != 2 {
		t.Errorf("%s comes first, and then %s", i.id, p.waits())
	}
}

// crowd is a pool with workers of which some have calls, from outside or nested, and some wait for
// other functions.
func crowd(most, outside, nested, idles, waiters int, waiting ...bool) *pool {
	p := &pool{
		spec: new(function.Spec), workers: make(map[*worker]struct{}), generation: 2, waiters: waiters,
		runner: &Runner{options: Options{MaxWorkers: most}, mostNested: 3},
	}
	add := func(n, generation int, state workerState, current *invocation) {
		for range n {
			w := &worker{spec: p.spec, generation: generation, state: state}
			if current != nil {
				w.current = &invocation{nested: current.nested}
			}
			p.workers[w] = struct{}{}
		}
	}
	add(outside, 2, busy, &invocation{})
	add(nested, 2, busy, &invocation{nested: true})
	add(idles, 2, idle, nil)
	// Those of an earlier generation, or that end, count for nothing.
	add(3, 1, busy, &invocation{})
	add(3, 2, ending, &invocation{})
	for _, nested := range waiting {
		p.waiting = append(p.waiting, &invocation{nested: nested, done: func(function.Answer, error) {}})
	}
	return p
}

func TestOnlyNestedCallsGetWorkersBeyondTheLimit(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		p     *pool
		start bool // another worker may be started
		// outside and nested are whether an idle worker may get a call of that kind.
		outside, nested bool
		stuck           int // nested calls that nobody would ever get to
	}{
		"room":                              {crowd(3, 2, 0, 0, 0, false), true, true, true, 0},
		"the limit":                         {crowd(3, 2, 0, 1, 0, false), false, true, true, 0},
		"a nested call, and nobody waits":   {crowd(2, 2, 0, 0, 0, true), false, true, true, 0},
		"a nested call, and one waits":      {crowd(2, 2, 0, 0, 1, true), true, true, true, 0},
		"beyond the limit for a nested":     {crowd(2, 1, 1, 1, 1, false), false, true, true, 0},
		"beyond the limit, all of outside":  {crowd(2, 2, 0, 1, 1, false), false, false, true, 0},
		"more waiters than calls":           {crowd(1, 1, 1, 0, 9, true), true, false, true, 0},
		"more waiters than calls, one idle": {crowd(1, 1, 1, 1, 9, true), false, false, true, 0},
		"all wait, up to the most":          {crowd(1, 1, 3, 0, 4, true, true, false), false, false, true, 2},
		"one of them works":                 {crowd(1, 1, 3, 0, 3, true, false), false, false, true, 0},
	} {
		all, starts, _ := row.p.count()
		if got := row.p.mayStart(all, starts); got != row.start {
			t.Errorf("%s: another may be started: %v", name, got)
		}
		if got := row.p.admits(&invocation{}); got != row.outside {
			t.Errorf("%s: a call from outside may run: %v", name, got)
		}
		if got := row.p.admits(&invocation{nested: true}); got != row.nested {
			t.Errorf("%s: a nested call may run: %v", name, got)
		}
		before := len(row.p.waiting)
		if got := len(row.p.takeStuck()); got != row.stuck || len(row.p.waiting) != before-row.stuck {
			t.Errorf("%s: %d of %d are stuck, and %d wait", name, got, before, len(row.p.waiting))
		}
	}
}

func TestAFunctionThatIsNoLongerStartedTellsItsLastError(t *testing.T) {
	t.Parallel()
	p := &pool{environment: "dev", name: "items", failures: mostFailures}
	want := function.Error{Kind: function.StoppedTrying, Environment: "dev", Function: "items", Text: "3 starts in a row failed", Fix: "change the source, and it is started again"}
	if diff := cmp.Diff(&want, p.stoppedError()); diff != "" {
		t.Error(diff)
	}
	p.lastError = &function.Error{Kind: function.NotStarted, Text: "it is broken", Fix: "correct it", CloudType: "Runtime.Broken", CloudText: "broken", Reported: []byte("{}")}
	want.Text += "; the last: it is broken"
	want.CloudType, want.CloudText, want.Reported = "Runtime.Broken", "broken", []byte("{}")
	if diff := cmp.Diff(&want, p.stoppedError()); diff != "" {
		t.Error(diff)
	}
}

func TestAStartThatSucceedsEndsTheCountOfThoseThatFailed(t *testing.T) {
	t.Parallel()
	for _, old := range []bool{false, true} {
		p := &pool{failures: 2, lastError: new(function.Error), generation: 1}
		w := &worker{state: starting, generation: 1, output: newOutput(nil, nil, "dev", "items"), began: time.Now()}
		if old {
			w.generation = 0
		}
		w.output.emit([]byte("a line of the start"))
		p.ready(w)
		if (p.failures == 0) == old || (p.lastError == nil) == old || w.state != between || w.init <= 0 || w.output.lastLines() != nil || w.output.hasPlain.Load() {
			t.Errorf("a worker of another source %v: %+v, %+v", old, p, w)
		}
	}
}

func TestOnlyTheLastLinesOfAStartAreKept(t *testing.T) {
	t.Parallel()
	o := newOutput(nil, nil, "dev", "items")
	var want []string
	for n := range mostRecent + 3 {
		line := fmt.Sprint("line ", n)
		o.emit([]byte(line))
		want = append(want, line)
	}
	if diff := cmp.Diff(want[3:], o.lastLines()); diff != "" {
		t.Error(diff)
	}
}
