// Package live makes of a project what a sandbox serves: its environments with their ids, functions,
// variables, secrets, tables and users. Run serves a project until it is ended, and follows its changes.
package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/sandbox"
	"gatewright/sandbox/function"
)

// AnyPort as Options.Port means any free port.
const AnyPort = -1

// Options are the options of Run.
type Options struct {
	// Dir is a folder in the project that is served.
	Dir string
	// Environment is served from the working tree; "" is the chosen environment, or
	// the only one.
	Environment string
	// Port is the TCP port; 0 is the project's, AnyPort a free one.
	Port int
	// Once writes the client configuration file, checks that every path answers and
	// every handler has its file, and ends.
	Once bool
	// Inspect names the function that waits for a debugger.
	Inspect           string
	RequireSignatures bool
	// TableEndpoint is another service for all tables, such as DynamoDB Local; "" is
	// the sandbox's own.
	TableEndpoint string
	// AllowCloud lets requests of functions to services that the sandbox does not serve
	// leave for the cloud.
	AllowCloud bool
	// StrictMemory kills a function that uses more memory than it has, as the cloud does.
	StrictMemory bool
	// Contracts says which requests and answers are checked against the contract of their API, and
	// Mock are the paths of which, and below which, examples of the contract are the answers.
	// Both are about the environment of the working tree.
	Contracts ContractCheck
	Mock      []string
	// Set are values of the functions' environment variables, which replace those of the
	// definition.
	Set map[string]string
	// Hurry, when closed, ends running requests at once; otherwise they have a moment
	// to complete. It may be nil.
	Hurry <-chan struct{}
	// Notify receives every event, from any goroutine; it may be nil.
	Notify func(sandbox.Event)
	// Fetch may fetch interpreters of runtimes into the user's cache (prepare.Fetch), before anything
	// runs; it may be nil.
	Fetch func(ctx context.Context, missing []*OtherRuntime, cache string)
	// Getenv looks up the variables of this program; nil takes those of the process.
	Getenv func(name string) string
}

// The Kinds of the events that Run itself reports.
const (
	// Listening comes first; Text is the address.
	Listening = "listening"
	// Serving is an environment, and whether it is served from the working tree or
	// as pushed. API and Path follow for each API (Text: label and endpoint)
	// and each path (Text: the whole URL).
	Serving = "serving"
	API     = "api"
	Path    = "path"
	// Pool is the id and the endpoint of an environment's user pool, then those of
	// its identity pool.
	Pool = "pools"
	// File says whether the client configuration file was written.
	File = "file"
	// Definition is a change of the definition that is now served.
	Definition = "definition"
	// Problem is why a change is not served.
	Problem = "problem"
)

// grace is how long running requests may take to complete when the sandbox ends.
const grace = 3 * time.Second

// Run serves a project on this machine until ctx ends: one environment from the working tree, and every other
// local environment as it was last pushed. It applies changes of the definition, and keeps the client
// configuration file of the first environment up to date. It locks only the sandbox's own state. The error
// matches *state.RunningError or *sandbox.PortError if it could not start; the end of ctx is no error.
func Run(ctx context.Context, o Options) error {
	if o.Notify == nil {
		o.Notify = func(sandbox.Event) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &live{options: o, warned: make(map[string]bool), refreshes: make(chan chan error)}
	p, left, err := l.open()
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	if l.left = left; o.Once && left.Err() != nil {
		return left.Err()
	}
	env, err := EnvironmentOf(p, o.Environment)
	if err != nil {
		return err
	}
	if o.Inspect != "" {
		if err := p.Backend.Known(model.Ref{Kind: model.KindFunction, Name: o.Inspect}); err != nil {
			return err
		}
	}
	l.environment = env.Name
	l.watch = newWatch(p.Root, p.Layout)
	defer l.watch.close()
	if o.Fetch != nil {
		o.Fetch(ctx, otherRuntimes(p.Backend.For(env), l.cache()), l.cache())
	}
	if ctx.Err() != nil {
		return nil // it was stopped before it served anything
	}
	if err := l.start(ctx, cancel, p); err != nil {
		return err
	}
	err = l.serve(ctx, p)
	return errors.Join(err, l.close())
}

// live is a project that is being served.
type live struct {
	options     Options
	environment string
	sandbox     *sandbox.Sandbox
	port        int
	watch       *watch
	refreshes   chan chan error
	// serving are the served environments; the one of the working tree is first.
	serving []served
	// problem is why the last change is not served; warned are the warnings that were
	// given, which are not repeated.
	problem string
	warned  map[string]bool
	// left is what is left out of the working tree.
	left LeftOut
}

// open opens the project, without what has errors. An error that concerns the whole is an error.
func (l *live) open() (*project.Project, LeftOut, error) {
	p, err := project.Open(l.options.Dir)
	if err != nil {
		return nil, nil, err
	}
	left, err := LeaveOut(p)
	if err != nil {
		_ = p.Close()
		return nil, nil, err
	}
	return p, left, nil
}

// start starts the sandbox and serves the project.
func (l *live) start(ctx context.Context, stop func(), p *project.Project) error {
	state, err := MakeState(p.Root)
	if err != nil {
		return err
	}
	port := l.options.Port
	switch port {
	case 0:
		port = p.Backend.Project.Port()
	case AnyPort:
		port = 0
	}
	l.sandbox, err = sandbox.Start(sandbox.Options{
		State: state, Cache: l.cache(), Port: port, Inspect: l.options.Inspect,
		RequireSignatures: l.options.RequireSignatures,
		TableEndpoint:     l.options.TableEndpoint, StrictMemory: l.options.StrictMemory, Notify: l.options.Notify,
		Refresh: func() error { return l.refresh(ctx) }, Stop: stop,
	})
	if err != nil {
		return err
	}
	if l.port, err = portOf(l.sandbox.Address()); err == nil {
		err = l.apply(p)
	}
	if err != nil {
		return errors.Join(err, l.close())
	}
	return nil
}

// cache is the user's folder for caches; without one, the sandbox has its own.
func (l *live) cache() string {
	getenv := l.options.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	folder, _ := project.UserCache(getenv)
	return folder
}

// serve reports what is served, and applies changes until ctx ends.
func (l *live) serve(ctx context.Context, p *project.Project) error {
	l.say(sandbox.Event{Kind: Listening, Text: l.sandbox.Address()})
	for _, s := range l.serving {
		l.reportServed(s)
	}
	l.tellProblem(l.left.text())
	if why := l.watch.tree.Refused(); why != "" {
		l.say(sandbox.Event{
			Kind: function.EventWarning, Environment: l.environment,
			Text: "changes of the definition are found by scanning it, with more work: " + why,
		})
	}
	written := l.writeClientFile(ctx, p, true)
	if l.options.Once {
		if written != nil {
			return written
		}
		return l.check()
	}
	if written != nil && ctx.Err() == nil {
		l.say(sandbox.Event{Kind: Problem, Environment: l.environment, Text: written.Error()})
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case reply := <-l.refreshes:
			reply <- l.catchUp(ctx)
		case <-l.watch.changed:
			if l.watch.differs() {
				// reload has reported the error; the next change is another attempt.
				_ = l.reload(ctx)
			}
		}
	}
}

// refresh reads the project again at once if its files changed. The error is why their present
// state is not served.
func (l *live) refresh(ctx context.Context) error {
	reply := make(chan error, 1)
	select {
	case l.refreshes <- reply:
	case <-ctx.Done():
		return errors.New("the sandbox is ending")
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return errors.New("the sandbox is ending")
	}
}

// catchUp is reload if the files changed since the last time.
func (l *live) catchUp(ctx context.Context) error {
	if l.watch.differs() {
		return l.reload(ctx)
	}
	return l.refused()
}

// reload reads the project again and serves it. After an error that concerns the whole, the earlier
// state is still served. The error says what is not served as it is now.
func (l *live) reload(ctx context.Context) error {
	before, contracts, wasLeft := l.serving, l.servedContracts(), l.left
	p, left, err := l.open()
	if err == nil {
		defer func() { _ = p.Close() }()
		l.left = left
		err = l.apply(p)
	}
	text := ""
	if err != nil {
		l.left, text = wasLeft, err.Error()+"; the state before the change is still served"
	} else {
		l.reportChanges(before)
		l.reportContracts(contracts)
		text = l.left.text()
		if failed := l.writeClientFile(ctx, p, false); failed != nil {
			text = failed.Error()
		}
	}
	if errors.Is(err, journal.ErrLocked) {
		// Another process is still writing the project.
		l.watch.again()
	}
	if ctx.Err() == nil {
		l.tellProblem(text)
	}
	return l.refused()
}

// refused is the problem as an error; nil for none.
func (l *live) refused() error {
	first, rest, several := strings.Cut(l.problem, "\n")
	switch {
	case first == "":
		return nil
	case several:
		first += fmt.Sprintf(" (and %d more; see them with: gatewright validate)", 1+strings.Count(rest, "\n"))
	}
	return errors.New(first)
}

// tellProblem tells why the files are not served as they are, or that they are again, if that is new.
// Each line is one problem.
func (l *live) tellProblem(text string) {
	before := strings.Split(l.problem, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case text != "" && !slices.Contains(before, line):
			l.say(sandbox.Event{Kind: Problem, Environment: l.environment, Text: line})
		case text == "" && l.problem != "":
			l.say(sandbox.Event{
				Kind: Definition, Environment: l.environment,
				Text: "the definition no longer has errors, and is served",
			})
		}
	}
	l.problem = text
}

// apply serves a project.
func (l *live) apply(p *project.Project) error {
	serving, err := l.environments(p)
	if err != nil {
		return err
	}
	var config sandbox.Config
	for _, s := range serving {
		config.Environments = append(config.Environments, s.Environment)
	}
	if err := l.sandbox.Apply(config); err != nil {
		return fmt.Errorf("serving the project: %w", err)
	}
	before := l.serving
	l.serving = serving
	l.tellRuntimes(p, serving[0].backend)
	// Running calls still use the sources that they began with.
	l.removeSources(p.Root, before)
	return nil
}

// close ends the sandbox. Running requests have a moment to complete (grace), unless
// Hurry is closed.
func (l *live) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if l.options.Hurry != nil {
		go func() {
			select {
			case <-l.options.Hurry:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	return l.sandbox.Close(ctx)
}

func (l *live) say(e sandbox.Event) { l.options.Notify(e) }

// warn reports a warning once.
func (l *live) warn(e sandbox.Event) {
	if key := e.Environment + "\x00" + e.Function + "\x00" + e.Text; !l.warned[key] {
		l.warned[key] = true
		l.say(e)
	}
}
