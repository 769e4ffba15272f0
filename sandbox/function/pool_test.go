package function

import (
	"errors"
	"testing"

	"gatewright/model"
	"gatewright/test/await"
)

// stalled is a pool whose workers start and come no further, and one worker that has answered and
// does not ask for more, as if its handler had left work behind.
func stalled(t *testing.T, most int) *pool {
	t.Helper()
	f := newFacility(t, func(o *Options) { o.MaxWorkers = most })
	f.Apply([]Spec{{Environment: "dev", Name: "items", Runtime: model.Go, Folder: t.TempDir()}})
	p := f.pool("dev")
	late := &worker{spec: p.spec, generation: p.generation, state: busy, current: &invocation{answered: true}}
	p.checking.Lock()
	p.mu.Lock()
	p.workers[late] = struct{}{}
	p.mu.Unlock()
	t.Cleanup(func() {
		p.mu.Lock()
		delete(p.workers, late)
		p.mu.Unlock()
		p.checking.Unlock()
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
		if _, err := p.accept(&invocation{done: func(Answer, error) {}}); err != nil {
			t.Fatal(err)
		}
		// The worker that has answered could take one of the calls.
		await.Until(t, "a worker for the call", func() bool {
			starts, _ := p.startsAndWaiting()
			return starts == n
		})
	}
	// There are no more workers than may be.
	if _, err := p.accept(&invocation{done: func(Answer, error) {}}); err != nil {
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
	if _, err := p.accept(&invocation{done: func(_ Answer, err error) { refused <- err }}); err != nil {
		t.Fatal(err)
	}
	p.end(false)
	_, now := p.accept(&invocation{})
	for _, err := range []error{await.Next(t, "the error of the call that waits", refused), now} {
		var e *Error
		if !errors.As(err, &e) || e.Kind != Closed || e.Text != "it was removed from the project" || e.Function != "items" || e.Environment != "dev" {
			t.Errorf("%+v", err)
		}
	}
	if _, waiting := p.startsAndWaiting(); waiting != 0 {
		t.Errorf("%d calls wait", waiting)
	}
}
