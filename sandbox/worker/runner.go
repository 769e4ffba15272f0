package worker

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"gatewright/internal/file/watch"
	"gatewright/internal/process"
	"gatewright/internal/text/phrase"
	"gatewright/internal/uuid"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/prepare"
)

// Options are the options of a Runner.
type Options struct {
	// Logs receives every line that functions write.
	Logs *logs.Store
	// State is the Runner's own folder: bootstraps, built programs, npm's logs.
	State string
	// Cache is the folder of installed packages, which all projects of a user share; ""
	// is a folder below State.
	Cache string
	// MaxWorkers is how many workers one function may have; 0 means the number of
	// processors, but at least 2 and at most 10.
	MaxWorkers int
	// Idle is how long a worker without a call is kept; 0 means 5 minutes.
	Idle time.Duration
	// StrictMemory kills a worker that uses more memory than its function has, as the cloud
	// does; otherwise that is an error in the log.
	StrictMemory bool
	// Watcher watches the sources; nil is watch.Shared.
	Watcher *watch.Watcher
	// Notify receives every Event; it may be nil, and must not wait for the Runner.
	Notify func(function.Event)
	// Changed is called when a call begins or gets a worker, and when a worker has another state; it may
	// be nil. It is called with locks held, before each call, and must return at once.
	Changed func()
}

// Runner runs functions. Its methods may be called from several goroutines.
type Runner struct {
	options  Options
	preparer *prepare.Preparer
	// bootstraps is the folder of the embedded runtimes; bootstrapsErr is why it was not
	// written.
	bootstraps    string
	bootstrapsErr error
	// leastStart is the least time that a worker has to start.
	leastStart time.Duration
	// shortCall and aheadPatience are the constants of these names.
	shortCall, aheadPatience time.Duration
	// mostNested is how many workers beyond the limit a function may have for nested calls.
	mostNested int

	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	launcher launcher
	// starts passes processes to the one thread that starts those without a guardian.
	starts chan func()

	closed sync.Once

	preparations preparations
	sampler      sampler

	mu    sync.RWMutex
	pools map[key]*pool
	// faults are why other functions cannot run.
	faults map[key]string
	// leftovers are pools of removed functions, with calls that still run.
	leftovers []*pool
}

type key struct{ environment, name string }

// NewRunner returns a Runner without functions. The caller closes it.
func NewRunner(o Options) *Runner {
	if o.MaxWorkers <= 0 {
		o.MaxWorkers = min(max(runtime.NumCPU(), 2), 10)
	}
	if o.Idle <= 0 {
		o.Idle = 5 * time.Minute
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Watcher == nil {
		o.Watcher = watch.Shared
	}
	// Workers have other working directories, so the path must be absolute.
	if state, err := filepath.Abs(o.State); err == nil && o.State != "" {
		o.State = state
	}
	r := &Runner{
		options: o, pools: map[key]*pool{}, starts: make(chan func()), leastStart: leastStart,
		mostNested: mostNested, shortCall: shortCall, aheadPatience: aheadPatience,
	}
	r.preparations.slots = make(chan struct{}, mostPrepared)
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.preparer = prepare.NewPreparer(o.State, o.Cache, r.notify, o.Logs)
	r.bootstraps, r.bootstrapsErr = writeBootstraps(o.State)
	go r.starter()
	go r.launcher.begin()
	return r
}

// leastStart is Lambda's limit for a start
// (https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html). A function with a longer
// timeout may take that long, because Lambda repeats the start in the call.
const leastStart = 10 * time.Second

func (r *Runner) startLimit(s *function.Spec) time.Duration { return max(r.leastStart, s.TimeLimit()) }

func (r *Runner) notify(e function.Event) {
	if r.options.Notify != nil {
		r.options.Notify(e)
	}
}

// starter starts all processes on one thread, which lives until all have ended.
func (r *Runner) starter() {
	process.HoldThread()
	for start := range r.starts {
		start()
	}
}

// startProcess starts a worker, which cannot write into the readOnly folders if the system
// allows that.
func (r *Runner) startProcess(cmd *exec.Cmd, readOnly []string) (*workerProcess, error) {
	return r.launcher.start(cmd, readOnly, r.startAlone)
}

func (r *Runner) startAlone(cmd *exec.Cmd) (p *workerProcess, err error) {
	done := make(chan struct{})
	r.starts <- func() {
		defer close(done)
		p, err = startAlone(cmd)
	}
	<-done
	return p, err
}

// Apply replaces all functions. A function with another Spec gets new workers; its
// workers without a call end at once, the others after their call. Workers of removed
// functions end in the same way, and calls that wait for one fail.
func (r *Runner) Apply(specs []function.Spec) {
	wanted, faults := make(map[key]function.Spec, len(specs)), make(map[key]string)
	for _, s := range specs {
		if s.Fault != "" {
			faults[key{s.Environment, s.Name}] = s.Fault
			continue
		}
		if s.Inspect && s.Runtime != model.NodeJS {
			s.Inspect = false
			r.notify(function.Event{
				Kind: function.EventWarning, Environment: s.Environment, Function: s.Name,
				Text: "only functions for Node.js can be debugged; it runs without a debugger",
			})
		}
		wanted[key{s.Environment, s.Name}] = s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return
	}
	r.faults = faults
	r.leftovers = slices.DeleteFunc(r.leftovers, func(p *pool) bool { return !p.hasWorkers() })
	for k, p := range r.pools {
		if s, ok := wanted[k]; ok {
			p.apply(s)
			delete(wanted, k)
			continue
		}
		delete(r.pools, k)
		if len(p.end(false)) > 0 {
			r.leftovers = append(r.leftovers, p)
		}
	}
	for k, s := range wanted {
		p := newPool(r, s)
		r.pools[k] = p
		if s.Inspect {
			p.warm()
		}
	}
}

// apply changes what the pool runs.
func (p *pool) apply(s function.Spec) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reflect.DeepEqual(*p.spec, s) {
		return
	}
	p.spec = &s
	p.unwatch()
	p.renew(len(p.workers) > 0 || s.Inspect)
}

// warm starts a worker before the first call.
func (p *pool) warm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start()
}

// Invoke calls a function and waits for its answer. The error is an *Error, or ctx.Err()
// if ctx ended first: then the call is forgotten.
func (r *Runner) Invoke(ctx context.Context, c function.Call) (function.Answer, error) {
	if !function.IsRequestID(c.RequestID) {
		c.RequestID = uuid.New()
	}
	if ctx.Err() != nil {
		return function.Answer{RequestID: c.RequestID}, ctx.Err()
	}
	outcomes := make(chan outcome, 1)
	forget := r.Begin(c, func(answer function.Answer, err error) { outcomes <- outcome{answer: answer, err: err} })
	select {
	case o := <-outcomes:
		return o.answer, o.err
	case <-ctx.Done():
		forget()
		return function.Answer{RequestID: c.RequestID}, ctx.Err()
	}
}

// Begin calls a function and does not wait. done is called once with the answer or an *Error, from any
// goroutine, also from this one, and must not wait for anything. forget drops the call: if it still waits for
// a worker it never begins; if it has begun it runs to its end.
func (r *Runner) Begin(c function.Call, done func(function.Answer, error)) (forget func()) {
	c.Flight.Now(function.Handed)
	i := &invocation{
		id: c.RequestID, payload: c.Payload, body: c.Body, takesApart: c.TakesApart,
		timeout: c.Timeout, preparing: c.Preparing, flight: c.Flight, done: done,
		clientContext: c.ClientContext, qualifier: c.Qualifier, lineage: c.Lineage, nested: c.Nested,
	}
	if !function.IsRequestID(i.id) {
		i.id = uuid.New()
	}
	refuse := func(kind function.ErrorKind, text, fix string) func() {
		done(function.Answer{RequestID: i.id},
			&function.Error{Kind: kind, Environment: c.Environment, Function: c.Function, Text: text, Fix: fix})
		return func() {}
	}
	r.mu.RLock()
	p, fault := r.pools[key{c.Environment, c.Function}], r.faults[key{c.Environment, c.Function}]
	r.mu.RUnlock()
	switch {
	case r.ctx.Err() != nil:
		return refuse(function.Closed, "the sandbox is closed", "start it again")
	case fault != "":
		return refuse(function.NotPrepared, "it does not run: "+fault, "")
	case p == nil:
		return refuse(function.NoFunction, "the function does not exist", "check its name, or add it")
	case c.Body.Exceeds(c.Payload, function.MaxPayload):
		return refuse(function.TooLarge,
			fmt.Sprintf("the event has %d bytes, more than %d", len(c.Payload), function.MaxPayload), "send a smaller event")
	}
	p.checkSource(checkBeforeCall)
	d, err := p.accept(i)
	if err != nil {
		done(function.Answer{RequestID: i.id}, err)
		return func() {}
	}
	d.send()
	return func() { p.forget(i) }
}

func (r *Runner) all() []*pool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Collect(maps.Values(r.pools))
}

// Close ends every process at once, also those with a call, and waits until none is
// left. The error is ctx.Err() if ctx ends first.
func (r *Runner) Close(ctx context.Context) error {
	r.mu.Lock()
	r.cancel()
	pools := slices.AppendSeq(slices.Clone(r.leftovers), maps.Values(r.pools))
	r.mu.Unlock()
	var workers []*worker
	for _, p := range pools {
		workers = append(workers, p.end(true)...)
	}
	for _, w := range workers {
		select {
		case <-w.finished:
		case <-ctx.Done():
			return fmt.Errorf("a worker of function %s has not ended: %w", phrase.Quote(w.spec.Name), ctx.Err())
		}
	}
	prepared := make(chan struct{})
	go func() {
		r.preparations.Wait()
		close(prepared)
	}()
	select {
	case <-prepared:
	case <-ctx.Done():
		return fmt.Errorf("the preparation of functions has not ended: %w", ctx.Err())
	}
	select {
	case <-r.launcher.close():
	case <-ctx.Done():
		return fmt.Errorf("what the workers left behind has not ended: %w", ctx.Err())
	}
	r.closed.Do(func() { close(r.starts) })
	return nil
}
