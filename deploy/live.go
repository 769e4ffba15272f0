package deploy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gatewright/model"
	"gatewright/project"
	"gatewright/project/journal"
	"gatewright/sandbox"
)

// AnyPort is a LiveOptions.Port that stands for any free one.
const AnyPort = -1

// LiveOptions say what RunLive does.
type LiveOptions struct {
	// Dir is in the project that is served.
	Dir string
	// Environment is the one that is served from the working tree; "" is the
	// chosen one, or the only one.
	Environment string
	// Port is the TCP port; 0 is the project's, AnyPort any free one.
	Port int
	// Once serves for a moment only: it writes the client configuration file,
	// checks that every path answers and every handler has its file, and ends.
	Once bool
	// Inspect names a function that a debugger is to be attached to.
	Inspect           string
	RequireSignatures bool
	// TableEndpoint is that of another service for all tables; "" is the sandbox's
	// own.
	TableEndpoint string
	// Hurry ends requests that are running when it is closed, which otherwise have
	// a moment to end by themselves. It may be nil.
	Hurry <-chan struct{}
	// Say is told what happens, from any goroutine; it may be nil.
	Say func(sandbox.Event)
}

// The Kinds of an Event that RunLive itself tells of.
const (
	// LiveListening comes first; Text is the address.
	LiveListening = "listening"
	// LiveServing is an environment and where it is served from, LiveAPI and
	// LivePath follow it for each API (Text: label and endpoint) and each path
	// (Text: the whole URL).
	LiveServing = "serving"
	LiveAPI     = "api"
	LivePath    = "path"
	// LivePool is the user pool of an environment, and then its identity pool: the
	// id and the endpoint.
	LivePool = "pools"
	// LiveFile is what became of the client configuration file.
	LiveFile = "file"
	// LiveDefinition is a change of the definition that is served from now on.
	LiveDefinition = "definition"
	// LiveProblem is why something that changed is not served.
	LiveProblem = "problem"
)

// grace is how long requests that are running have when the sandbox ends.
const grace = 3 * time.Second

// RunLive serves a project on this machine until ctx ends: one environment from
// the working tree, every other local one that was pushed as it was pushed. It
// follows changes of the definition, and keeps the client configuration file of
// the first one up to date. It locks nothing but the sandbox's own state. The
// error matches *sandbox.RunningError or *sandbox.PortError where it could not
// start; a deliberate end is none.
func RunLive(ctx context.Context, o LiveOptions) error {
	if o.Say == nil {
		o.Say = func(sandbox.Event) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &live{options: o, said: make(map[string]bool), refreshes: make(chan chan error)}
	p, err := l.open()
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	env, err := LiveEnvironment(p, o.Environment)
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
	if err := l.start(ctx, cancel, p); err != nil {
		return err
	}
	err = l.serve(ctx, p)
	return errors.Join(err, l.close())
}

// live is a project that is being served.
type live struct {
	options     LiveOptions
	environment string
	facility    *sandbox.Facility
	port        int
	watch       *watch
	refreshes   chan chan error
	// serving is what is served of each environment, current what it is of the
	// one from the working tree.
	serving []served
	// problem is why the last change is not served; said are the warnings that need
	// not be repeated.
	problem string
	said    map[string]bool
}

// open opens the project; one with an error in its definition is not served.
func (l *live) open() (*project.Project, error) {
	p, err := project.Open(l.options.Dir)
	if err != nil {
		return nil, err
	}
	if err := definitionError(p); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

// definitionError is what is wrong with a definition. The client configuration
// file is none of it.
func definitionError(p *project.Project) error {
	var definition []*project.Problem
	for _, problem := range p.Validate() {
		if problem.File != clientFileName(p) {
			definition = append(definition, problem)
		}
	}
	return project.FirstError(definition)
}

// start starts the sandbox and serves the project as it is.
func (l *live) start(ctx context.Context, stop func(), p *project.Project) error {
	state, err := MakeSandboxState(p.Root)
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
	l.facility, err = sandbox.Start(sandbox.Options{
		State: state, Port: port, Inspect: l.options.Inspect, RequireSignatures: l.options.RequireSignatures, TableEndpoint: l.options.TableEndpoint, Say: l.options.Say,
		Refresh: func() error { return l.refresh(ctx) }, Stop: stop,
	})
	if err != nil {
		return err
	}
	if l.port, err = portOf(l.facility.Address()); err == nil {
		err = l.apply(p)
	}
	if err != nil {
		return errors.Join(err, l.close())
	}
	return nil
}

// serve tells what is served, and follows changes until ctx ends.
func (l *live) serve(ctx context.Context, p *project.Project) error {
	l.say(sandbox.Event{Kind: LiveListening, Text: l.facility.Address()})
	for _, s := range l.serving {
		l.tellServed(s)
	}
	written := l.writeClientFile(ctx, p, true)
	if l.options.Once {
		if written != nil {
			return written
		}
		return l.check(ctx)
	}
	if written != nil && ctx.Err() == nil {
		l.say(sandbox.Event{Kind: LiveProblem, Environment: l.environment, Text: written.Error()})
	}
	next := time.NewTimer(l.watch.pause)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case reply := <-l.refreshes:
			reply <- l.reload(ctx)
		case <-next.C:
			if l.watch.changed() {
				// What is wrong is said, and waits for the next change.
				_ = l.reload(ctx)
			}
			next.Reset(l.watch.pause)
		}
	}
}

// refresh has the project read now, and gives the reason why the one before is
// served on.
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

// reload reads the project anew and serves it. With an error in it the one
// before is served on.
func (l *live) reload(ctx context.Context) error {
	before := l.serving
	p, err := l.open()
	if err == nil {
		defer func() { _ = p.Close() }()
		err = l.apply(p)
	}
	text := ""
	if err != nil {
		text = err.Error() + "; what was served before is served on"
	} else {
		l.tellChanges(before)
		if err = l.writeClientFile(ctx, p, false); err != nil {
			text = err.Error()
		}
	}
	if errors.Is(err, journal.ErrLocked) {
		// Somebody is writing for long: what they write is for later.
		l.watch.again()
	}
	switch {
	case text == l.problem || ctx.Err() != nil:
	case text == "":
		l.say(sandbox.Event{Kind: LiveDefinition, Environment: l.environment, Text: "the definition is right again, and is served"})
	default:
		l.say(sandbox.Event{Kind: LiveProblem, Environment: l.environment, Text: text})
	}
	l.problem = text
	return err
}

// apply serves the project as it was read.
func (l *live) apply(p *project.Project) error {
	serving, err := l.everything(p)
	if err != nil {
		return err
	}
	var config sandbox.Config
	for _, s := range serving {
		config.Environments = append(config.Environments, s.Environment)
	}
	if err := l.facility.Apply(config); err != nil {
		return fmt.Errorf("serving the project: %w", err)
	}
	before := l.serving
	l.serving = serving
	// Calls that are running end with the sources that they began with.
	l.removeSources(p.Root, before)
	return nil
}

// close ends the sandbox. What is running gets a moment, unless somebody is in a
// hurry.
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
	return l.facility.Close(ctx)
}

func (l *live) say(e sandbox.Event) { l.options.Say(e) }

// warn says something that matters, once.
func (l *live) warn(e sandbox.Event) {
	if key := e.Environment + "\x00" + e.Function + "\x00" + e.Text; !l.said[key] {
		l.said[key] = true
		l.say(e)
	}
}
