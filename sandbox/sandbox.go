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

// Sandbox is a running sandbox. It serves nothing, and clients do not find it, before the
// first Apply.
type Sandbox struct {
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
func Start(o Options) (*Sandbox, error) {
	if o.Notify == nil {
		o.Notify = func(Event) {}
	}
	owner, err := state.Own(o.State)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		options: o, owner: owner, preparing: new(preparations), traffic: traffic.New(time.Now().UTC().Round(0)),
		schedulesChanged: make(chan struct{}, 1),
	}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, owner.Release())
	}
	return s, nil
}

func (s *Sandbox) start() error {
	callers, err := listen(s.options.Port)
	if err != nil {
		return err
	}
	clients, err := listen(0)
	if err != nil {
		_ = callers.Close()
		return err
	}
	s.logs, err = logs.Open(state.LogFolder(s.options.State))
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return err
	}
	s.run = state.Run{
		Version: state.RunVersion, PID: os.Getpid(), Started: time.Now().UTC().Round(0),
		Address: "http://" + callers.Addr().String(), Control: "http://" + clients.Addr().String(), Token: rand.Text(),
	}
	s.logs.Redact([]string{s.run.Token})
	work := filepath.Join(s.options.State, state.WorkFolder)
	if s.owner.Killed {
		worker.EndStrays(work)
	}
	s.runner = worker.NewRunner(worker.Options{
		Logs: s.logs, State: work, Cache: s.options.Cache, StrictMemory: s.options.StrictMemory,
		Notify: s.preparing.watch(s.notify), Changed: s.traffic.Stir,
	})
	s.pools, err = openPools(s.options.State, s.run.Address, s.showCode, s.callTrigger, s.logFailure, s.tellDamage)
	if err == nil {
		if warning := s.pools.Warning(); warning != "" {
			s.options.Notify(Event{Kind: EventDamage, Text: warning})
		}
		s.gateway = gateway.New(gateway.Options{
			Invoker: s.runner, Logs: s.logs, Traffic: s.traffic, Identities: s.pools.Identities,
			Address: callers.Addr().String(), RequireSignatures: s.options.RequireSignatures, Now: time.Now,
			Breach: s.tellBreach,
		})
		s.servePools()
		s.serveFunctions()
		if err = s.serveTables(); err != nil {
			err = errors.Join(err, s.pools.Close())
		} else if s.cloud, err = ServeCloud(s.TableEndpoint(), s.run.Address, s.logs, s.options.Notify); err != nil {
			err = errors.Join(err, s.cloud.Close(), s.closeTables(), s.pools.Close())
		}
	}
	if err != nil {
		_ = callers.Close()
		_ = clients.Close()
		return errors.Join(err, s.logs.Close())
	}
	used := s.keepUse
	s.cloud.used.Store(&used)
	s.control = newControl(s, clients.Addr().String())
	ctx, cancel := context.WithCancel(context.Background())
	s.stopSchedules = cancel
	s.serve(func() error { return s.gateway.Serve(callers) })
	s.serve(func() error { return s.control.Serve(clients) })
	s.background.Go(func() { trigger.Run(ctx, s.schedules, s.schedulesChanged, s.fire) })
	if s.store != nil {
		s.streams = trigger.NewStreams(s.store, s.callStream, s.reportStream)
	}
	return nil
}

// tellBreach tells of a request or an answer that breaks a contract.
func (s *Sandbox) tellBreach(b gateway.Breach) {
	s.options.Notify(Event{
		Kind: EventContract, Environment: b.Environment,
		Text: "API " + phrase.Quote(b.API) + ": " + b.Text,
	})
}

// serve runs a server until Close, and stops the sandbox if the server ends earlier.
func (s *Sandbox) serve(until func() error) {
	s.background.Go(func() {
		err := until()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closed || s.failure != nil {
			return
		}
		if err == nil || errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
			err = errors.New("a listener was closed")
		}
		s.failure = fmt.Errorf("the sandbox stopped serving: %w", err)
		if s.options.Stop != nil {
			s.options.Stop()
		}
	})
}

// Address is the base address of the APIs, such as http://127.0.0.1:4280.
func (s *Sandbox) Address() string { return s.run.Address }

// CloudAddress is the address that stands for the cloud's services towards functions.
func (s *Sandbox) CloudAddress() string { return s.cloud.Address() }

// Logs are the logs of the sandbox.
func (s *Sandbox) Logs() *logs.Store { return s.logs }

// Apply replaces everything that is served. Requests that are running end with what they
// began with.
func (s *Sandbox) Apply(c Config) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("the sandbox is closed")
	}
	var (
		specs   []function.Spec
		apis    []gateway.API
		secrets = []string{s.run.Token}
	)
	for i, env := range c.Environments {
		apis = append(apis, env.APIs...)
		secrets = append(secrets, env.Secrets...)
		for _, spec := range env.Functions {
			spec.Inspect = spec.Inspect || i == 0 && s.options.Inspect != "" && spec.Name == s.options.Inspect
			specs = append(specs, spec)
		}
	}
	// The order matters: secrets come before anything that logs, and functions before
	// the APIs that call them.
	s.logs.Redact(secrets)
	s.cloud.Apply(c.Environments)
	s.applyCallers(c)
	s.runner.Apply(specs)
	s.applyFunctions(c)
	s.applyPools(c)
	s.gateway.Apply(apis)
	s.applyTables(c)
	s.applyStreams(c)
	s.prepare(c)
	before := s.config
	s.config = c
	if !slices.Equal(entriesOf(before), entriesOf(c)) {
		select {
		case s.schedulesChanged <- struct{}{}:
		default:
		}
	}
	if s.announced {
		return nil
	}
	s.announced = true
	return s.run.Write(s.options.State)
}

// prepare makes the functions of the paths, schedules and triggers, and those that other
// functions may call, ready before their first call.
func (s *Sandbox) prepare(c Config) {
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
		s.runner.Prepare(env.Name, slices.Compact(names))
	}
}

// Close ends the sandbox. Requests that are running have until ctx ends; then their
// processes are killed. Close leaves no process and no run.json.
func (s *Sandbox) Close(ctx context.Context) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	failure := s.failure
	s.mu.Unlock()
	// New clients must not find the sandbox any more.
	removed := file.Remove(filepath.Join(s.options.State, state.RunFile))
	if errors.Is(removed, os.ErrNotExist) {
		removed = nil
	}
	s.stopSchedules()
	s.stopStreams()
	failed := s.gateway.Shutdown(ctx)
	if errors.Is(failed, context.DeadlineExceeded) || errors.Is(failed, context.Canceled) {
		failed = nil
	}
	s.awaitScheduledCalls(ctx)
	s.calls.Close(ctx)
	err := errors.Join(failure, removed, failed, s.endFunctions())
	s.scheduledCalls.Wait()
	s.calls.Wait()
	s.endStreams()
	s.traffic.Close()
	// The logs close late, so that followers see the last lines.
	err = errors.Join(err, s.closeTables(), s.pools.Close(), s.logs.Close(), s.closeControl(), s.owner.Release())
	s.background.Wait()
	if err != nil {
		return fmt.Errorf("ending the sandbox: %w", err)
	}
	return nil
}

// endFunctions kills the processes of all functions.
func (s *Sandbox) endFunctions() error {
	const timeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return s.runner.Close(ctx)
}

// closeControl closes the control interface after clients had a moment to read answers.
func (s *Sandbox) closeControl() error {
	const timeout = 500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := s.control.Shutdown(ctx); err == nil {
		return nil
	}
	return s.control.Close()
}

// endpoint is the address of an API.
func (s *Sandbox) endpoint(api gateway.API) string {
	return s.run.Address + "/" + api.ID + "/" + api.Environment
}

// firstEnvironment is the environment that is served from its present definition.
func (s *Sandbox) firstEnvironment() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.config.Environments) == 0 {
		return ""
	}
	return s.config.Environments[0].Name
}

// servedAPIs lists the APIs for Status.
func (s *Sandbox) servedAPIs() []ServedAPI {
	s.mu.Lock()
	defer s.mu.Unlock()
	served := []ServedAPI{}
	for _, env := range s.config.Environments {
		for _, api := range env.APIs {
			served = append(served,
				ServedAPI{
					Environment: api.Environment, Label: api.Label, ID: api.ID, Endpoint: s.endpoint(api),
					Region: api.Region,
				})
		}
	}
	return served
}
