package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/text/phrase"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity"
	"gatewright/sandbox/invoke"
	"gatewright/sandbox/logs"
	"gatewright/sandbox/state"
	"gatewright/sandbox/table"
	"gatewright/sandbox/traffic"
	"gatewright/sandbox/trigger"
	"gatewright/sandbox/worker"
)

// Facility is a running sandbox. It serves nothing, and clients do not find it, before the
// first Apply.
type Facility struct {
	options Options
	owner   *state.Owner
	run     state.Run
	logs    *logs.Store
	traffic *traffic.Store
	// preparing are the functions whose calls wait for packages or a program.
	preparing *preparations
	runner    *worker.Runner
	gateway   *gateway.Gateway
	control   *http.Server
	// store is nil if another service has the tables.
	store  *table.Store
	tables Tables
	// streams is nil if another service has the tables.
	streams *trigger.Streams
	cloud   *Cloud
	// calls are the calls through Lambda's API.
	calls *invoke.Service
	// callers are the functions by the access key ids of their credentials.
	callers atomic.Pointer[map[string]caller]
	pools   *identity.Service
	// schedulesChanged receives a value when schedules have changed.
	schedulesChanged chan struct{}
	// background counts the goroutines that run until Close, scheduledCalls the calls
	// that schedules started.
	stopSchedules  context.CancelFunc
	background     sync.WaitGroup
	scheduledCalls sync.WaitGroup

	mu     sync.Mutex
	config Config
	// announced is set when run.json is written.
	announced bool
	closed    bool
	failure   error
}

// Start takes ownership of the state folder and listens. The error is a *RunningError if
// another process owns the folder, and a *PortError if the port is in use.
func Start(o Options) (*Facility, error) {
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	owner, err := state.Own(o.State)
	if err != nil {
		return nil, err
	}
	f := &Facility{
		options: o, owner: owner, preparing: new(preparations), traffic: traffic.New(time.Now().UTC().Round(0)),
		schedulesChanged: make(chan struct{}, 1),
	}
	if err := f.start(); err != nil {
		return nil, errors.Join(err, owner.Release())
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
	f.logs, err = logs.Open(state.LogFolder(f.options.State))
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return err
	}
	f.run = state.Run{
		Version: state.RunVersion, PID: os.Getpid(), Started: time.Now().UTC().Round(0),
		Address: "http://" + callers.Addr().String(), Control: "http://" + clients.Addr().String(), Token: rand.Text(),
	}
	f.logs.Redact([]string{f.run.Token})
	work := filepath.Join(f.options.State, state.WorkFolder)
	if f.owner.Killed {
		worker.EndStrays(work)
	}
	f.runner = worker.NewRunner(worker.Options{
		Logs: f.logs, State: work, Cache: f.options.Cache, StrictMemory: f.options.StrictMemory,
		Notify: f.preparing.watch(f.notify),
	})
	f.pools, err = openPools(f.options.State, f.run.Address, f.showCode, f.callTrigger, f.logFailure, f.tellDamage)
	if err == nil {
		if warning := f.pools.Warning(); warning != "" {
			f.options.Notify(Event{Kind: EventDamage, Text: warning})
		}
		f.gateway = gateway.New(gateway.Options{
			Invoker: f.runner, Logs: f.logs, Traffic: f.traffic, Identities: f.pools.Identities,
			Address: callers.Addr().String(), RequireSignatures: f.options.RequireSignatures, Now: time.Now,
			Breach: f.tellBreach,
		})
		f.servePools()
		f.serveFunctions()
		if err = f.serveTables(); err != nil {
			err = errors.Join(err, f.pools.Close())
		} else if f.cloud, err = ServeCloud(f.TableEndpoint(), f.run.Address, f.logs, f.options.Notify); err != nil {
			err = errors.Join(err, f.cloud.Close(), f.closeTables(), f.pools.Close())
		}
	}
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return errors.Join(err, f.logs.Close())
	}
	f.control = newControl(f, clients.Addr().String())
	ctx, cancel := context.WithCancel(context.Background())
	f.stopSchedules = cancel
	f.serve(func() error { return f.gateway.Serve(callers) })
	f.serve(func() error { return f.control.Serve(clients) })
	f.background.Go(func() { trigger.Run(ctx, f.schedules, f.schedulesChanged, f.fire) })
	if f.store != nil {
		f.streams = trigger.NewStreams(f.store, f.callStream, f.reportStream)
	}
	return nil
}

// tellBreach tells of a request or an answer that breaks a contract.
func (f *Facility) tellBreach(b gateway.Breach) {
	f.options.Notify(Event{
		Kind: EventContract, Environment: b.Environment,
		Text: "API " + phrase.Quote(b.API) + ": " + b.Text,
	})
}

// serve runs a server until Close, and stops the sandbox if the server ends earlier.
func (f *Facility) serve(until func() error) {
	f.background.Go(func() {
		err := until()
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.closed || f.failure != nil {
			return
		}
		if err == nil || errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			err = errors.New("a listener was closed")
		}
		f.failure = fmt.Errorf("the sandbox stopped serving: %w", err)
		if f.options.Stop != nil {
			f.options.Stop()
		}
	})
}

// Address is the base address of the APIs, such as http://127.0.0.1:4280.
func (f *Facility) Address() string { return f.run.Address }

// CloudAddress is the address that stands for the cloud's services towards functions.
func (f *Facility) CloudAddress() string { return f.cloud.Address() }

// Logs are the logs of the sandbox.
func (f *Facility) Logs() *logs.Store { return f.logs }

// Apply replaces everything that is served. Requests that are running end with what they
// began with.
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
	// The order matters: secrets come before anything that logs, and functions before
	// the APIs that call them.
	f.logs.Redact(secrets)
	f.cloud.Apply(c.Environments)
	f.applyCallers(c)
	f.runner.Apply(specs)
	f.applyFunctions(c)
	f.applyPools(c)
	f.gateway.Apply(apis)
	f.applyTables(c)
	f.applyStreams(c)
	f.prepare(c)
	before := f.config
	f.config = c
	if !slices.Equal(entriesOf(before), entriesOf(c)) {
		select {
		case f.schedulesChanged <- struct{}{}:
		default:
		}
	}
	if f.announced {
		return nil
	}
	f.announced = true
	return f.run.Write(f.options.State)
}

// prepare makes the functions of the paths, schedules and triggers, and those that other
// functions may call, ready before their first call.
func (f *Facility) prepare(c Config) {
	for _, env := range c.Environments {
		var names []string
		for _, api := range env.APIs {
			for _, p := range api.Definition.Paths {
				if !api.Mocks(p.Name) {
					names = append(names, p.Function)
				}
			}
		}
		for _, entry := range env.Schedules {
			names = append(names, entry.Function)
		}
		names = append(names, calledBy(env)...)
		for _, t := range env.Tables {
			for _, each := range t.Definition.Triggers {
				names = append(names, each.Function)
			}
		}
		if env.Pool != nil {
			names = slices.AppendSeq(names, maps.Values(env.Pool.Triggers))
		}
		slices.Sort(names)
		f.runner.Prepare(env.Name, slices.Compact(names))
	}
}

// Close ends the sandbox. Requests that are running have until ctx ends; then their
// processes are killed. Close leaves no process and no run.json.
func (f *Facility) Close(ctx context.Context) error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return nil
	}
	f.closed = true
	failure := f.failure
	f.mu.Unlock()
	// New clients must not find the sandbox any more.
	removed := file.Remove(filepath.Join(f.options.State, state.RunFile))
	if errors.Is(removed, os.ErrNotExist) {
		removed = nil
	}
	f.stopSchedules()
	f.stopStreams()
	failed := f.gateway.Shutdown(ctx)
	if errors.Is(failed, context.DeadlineExceeded) || errors.Is(failed, context.Canceled) {
		failed = nil
	}
	f.awaitScheduledCalls(ctx)
	f.calls.Close(ctx)
	err := errors.Join(failure, removed, failed, f.endFunctions())
	f.scheduledCalls.Wait()
	f.calls.Wait()
	f.endStreams()
	f.traffic.Close()
	// The logs close late, so that followers see the last lines.
	err = errors.Join(err, f.closeTables(), f.pools.Close(), f.logs.Close(), f.closeControl(), f.owner.Release())
	f.background.Wait()
	if err != nil {
		return fmt.Errorf("ending the sandbox: %w", err)
	}
	return nil
}

// endFunctions kills the processes of all functions.
func (f *Facility) endFunctions() error {
	const timeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return f.runner.Close(ctx)
}

// closeControl closes the control interface after clients had a moment to read answers.
func (f *Facility) closeControl() error {
	const timeout = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := f.control.Shutdown(ctx); err == nil {
		return nil
	}
	return f.control.Close()
}

// endpoint is the address of an API.
func (f *Facility) endpoint(api gateway.API) string {
	return f.run.Address + "/" + api.ID + "/" + api.Environment
}

// firstEnvironment is the environment that is served from its present definition.
func (f *Facility) firstEnvironment() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.config.Environments) == 0 {
		return ""
	}
	return f.config.Environments[0].Name
}

// servedAPIs lists the APIs for Status.
func (f *Facility) servedAPIs() []ServedAPI {
	f.mu.Lock()
	defer f.mu.Unlock()
	served := []ServedAPI{}
	for _, env := range f.config.Environments {
		for _, api := range env.APIs {
			served = append(served,
				ServedAPI{
					Environment: api.Environment, Label: api.Label, ID: api.ID, Endpoint: f.endpoint(api),
					Region: api.Region,
				})
		}
	}
	return served
}
