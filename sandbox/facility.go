package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/table"
	"gatewright/sandbox/trigger"
)

// Facility is a running sandbox. It serves nothing until Apply, and clients find
// it from then on.
type Facility struct {
	options Options
	owner   *owner
	run     run
	logs    *logs.Store
	runner  *function.Runner
	gateway *gateway.Gateway
	control *http.Server
	// store is nil where the tables are another service's.
	store  *table.Store
	tables Tables
	guard  *tableGuard
	pools  *identity.Service
	// rescheduled says that entries changed.
	rescheduled chan struct{}
	// ending ends the schedules; beside is what runs until the end, fired the calls
	// that schedules made.
	ending context.CancelFunc
	beside sync.WaitGroup
	fired  sync.WaitGroup

	mu     sync.Mutex
	config Config
	// told says that run.json is written.
	told    bool
	closed  bool
	failure error
}

// Start takes hold of the state folder and listens. The error is a *RunningError
// where another process has the folder, and a *PortError where the port is taken.
func Start(o Options) (*Facility, error) {
	if o.Say == nil {
		o.Say = func(Event) {}
	}
	owner, err := own(o.State)
	if err != nil {
		return nil, err
	}
	f := &Facility{options: o, owner: owner, rescheduled: make(chan struct{}, 1)}
	if err := f.start(); err != nil {
		return nil, errors.Join(err, owner.release())
	}
	return f, nil
}

func (f *Facility) start() error {
	callers, err := listen(f.options.Port)
	if err != nil {
		return err
	}
	clients, err := listen(0)
	if err != nil {
		_ = callers.Close()
		return err
	}
	f.logs, err = logs.Open(LogFolder(f.options.State))
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return err
	}
	f.run = run{
		Version: runVersion, PID: os.Getpid(), Started: time.Now().UTC().Round(0),
		Address: "http://" + callers.Addr().String(), Control: "http://" + clients.Addr().String(), Token: rand.Text(),
	}
	f.logs.Redact([]string{f.run.Token})
	work := filepath.Join(f.options.State, workFolder)
	if f.owner.killed {
		function.EndStrays(work)
	}
	f.runner = function.NewRunner(function.Options{Logs: f.logs, State: work, Say: f.options.Say})
	f.pools, err = openPools(f.options.State, f.run.Address, f.tellCode, f.tellFailed)
	if err == nil {
		f.gateway = gateway.New(gateway.Options{
			Invoker: f.runner, Logs: f.logs, Identities: f.pools.Identities, Address: callers.Addr().String(), RequireSignatures: f.options.RequireSignatures, Now: time.Now,
		})
		f.servePools()
		if err = f.serveTables(); err != nil {
			err = errors.Join(err, f.pools.Close())
		}
	}
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return errors.Join(err, f.logs.Close())
	}
	f.control = newControl(f, clients.Addr().String())
	ctx, cancel := context.WithCancel(context.Background())
	f.ending = cancel
	f.serve(func() error { return f.gateway.Serve(callers) })
	f.serve(func() error { return f.control.Serve(clients) })
	f.beside.Go(func() { trigger.Run(ctx, f.schedules, f.rescheduled, f.fire) })
	return nil
}

// serve does something until the sandbox is closed, and stops the sandbox where
// it ends before.
func (f *Facility) serve(until func() error) {
	f.beside.Go(func() {
		err := until()
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.closed || f.failure != nil {
			return
		}
		if err == nil || errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			err = errors.New("a listener was closed")
		}
		f.failure = fmt.Errorf("the sandbox serves no more: %w", err)
		if f.options.Stop != nil {
			f.options.Stop()
		}
	})
}

// Address is where the APIs answer: "http://127.0.0.1:4280".
func (f *Facility) Address() string { return f.run.Address }

// Logs are the logs of everything that is served.
func (f *Facility) Logs() *logs.Store { return f.logs }

// Apply serves exactly this from now on. Requests that are running end with what
// they began with.
func (f *Facility) Apply(c Config) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return errors.New("the sandbox is closed")
	}
	var (
		specs   []function.Spec
		apis    []gateway.API
		secrets = []string{f.run.Token}
	)
	for i, env := range c.Environments {
		apis = append(apis, env.APIs...)
		secrets = append(secrets, env.Secrets...)
		for _, spec := range env.Functions {
			spec.Inspect = spec.Inspect || i == 0 && f.options.Inspect != "" && spec.Name == f.options.Inspect
			specs = append(specs, spec)
		}
	}
	// In this order: what is called must be there, and nothing may be written
	// before it is known what is secret.
	f.logs.Redact(secrets)
	f.runner.Apply(specs)
	f.applyPools(c)
	f.gateway.Apply(apis)
	f.applyTables(c)
	before := f.config
	f.config = c
	if !slices.Equal(entriesOf(before), entriesOf(c)) {
		select {
		case f.rescheduled <- struct{}{}:
		default:
		}
	}
	if f.told {
		return nil
	}
	f.told = true
	return f.run.write(f.options.State)
}

func (f *Facility) schedules() []trigger.Entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return entriesOf(f.config)
}

func entriesOf(c Config) []trigger.Entry {
	var entries []trigger.Entry
	for _, env := range c.Environments {
		entries = append(entries, env.Schedules...)
	}
	return entries
}

// fire invokes a function at its time. Nobody waits for the answer; the log has
// what became of it.
func (f *Facility) fire(e trigger.Entry, at time.Time) {
	f.mu.Lock()
	var region, account string
	for _, env := range f.config.Environments {
		if env.Name == e.Environment {
			region, account = env.Region, env.AccountID
		}
	}
	closed := f.closed
	if !closed {
		f.fired.Add(1)
	}
	f.mu.Unlock()
	if closed {
		return
	}
	defer f.fired.Done()
	_, err := f.runner.Invoke(context.Background(), function.Call{
		Environment: e.Environment, Function: e.Function, Payload: trigger.Event(e.Environment, e.Function, region, account, at),
	})
	var failed *function.Error
	if err != nil && !(errors.As(err, &failed) && failed.Kind == function.Closed) {
		f.options.Say(Event{
			Kind: EventSchedule, Environment: e.Environment, Function: e.Function,
			Text: "the call of " + at.UTC().Format("15:04:05") + " UTC by its schedule failed: " + err.Error(),
		})
	}
}

// Close ends everything: requests that are running have until ctx ends, then
// their processes are killed. No process and no run.json is left.
func (f *Facility) Close(ctx context.Context) error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil
	}
	f.closed = true
	failure := f.failure
	f.mu.Unlock()
	// Nobody is sent here any more from now on.
	removed := os.Remove(filepath.Join(f.options.State, runFile))
	if errors.Is(removed, os.ErrNotExist) {
		removed = nil
	}
	f.ending()
	failed := f.gateway.Shutdown(ctx)
	if errors.Is(failed, context.DeadlineExceeded) || errors.Is(failed, context.Canceled) {
		failed = nil
	}
	f.awaitFired(ctx)
	err := errors.Join(failure, removed, failed, f.endFunctions())
	f.fired.Wait()
	// Last, so that who follows the logs sees the end.
	err = errors.Join(err, f.closeTables(), f.pools.Close(), f.logs.Close(), f.closeControl(), f.owner.release())
	f.beside.Wait()
	if err != nil {
		return fmt.Errorf("ending the sandbox: %w", err)
	}
	return nil
}

// awaitFired waits for the calls of schedules until ctx ends.
func (f *Facility) awaitFired(ctx context.Context) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.fired.Wait()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// endFunctions ends every process of functions, at once.
func (f *Facility) endFunctions() error {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return f.runner.Close(ctx)
}

// closeControl lets clients read what they were sent, and no more.
func (f *Facility) closeControl() error {
	const patience = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := f.control.Shutdown(ctx); err == nil {
		return nil
	}
	return f.control.Close()
}

// endpoint is where an API answers.
func (f *Facility) endpoint(api gateway.API) string {
	return f.run.Address + "/" + api.ID + "/" + api.Environment
}

// first is the environment that comes first, which is served from its definition.
func (f *Facility) first() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.config.Environments) == 0 {
		return ""
	}
	return f.config.Environments[0].Name
}

// served lists what Status tells of.
func (f *Facility) served() []ServedAPI {
	f.mu.Lock()
	defer f.mu.Unlock()
	served := []ServedAPI{}
	for _, env := range f.config.Environments {
		for _, api := range env.APIs {
			served = append(served, ServedAPI{Environment: api.Environment, Label: api.Label, ID: api.ID, Endpoint: f.endpoint(api), Region: api.Region})
		}
	}
	return served
}
