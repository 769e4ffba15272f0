package function

import (
	"context"
	"path/filepath"
	"sync"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// prepared is what a worker is started from.
type prepared struct {
	// Command is a Go program, empty where a bootstrap runs the source.
	Command []string
	// Env is NAME=value pairs of what was installed and of the layers.
	Env []string
	// Dir is the folder to start in.
	Dir string
	// Stamp says what was prepared: two of the same need nothing in between.
	Stamp string
}

// preparer makes sources ready to run: packages installed, programs built, layers
// found. One thing is done once at a time, whoever asks for it, and not again
// until what it depends on changes.
type preparer struct {
	state  string
	notify func(Event)
	logs   *logs.Store

	mu      sync.Mutex
	flights map[string]*flight
	// warned are the warnings that were said.
	warned map[Event]bool
	// contents are fingerprints of what files say, by folder; pythons the versions
	// of interpreters with pip, by path.
	contents map[string]contentStamp
	pythons  map[string]string
	pruned   sync.Once
}

func newPreparer(state string, say func(Event), store *logs.Store) *preparer {
	if say == nil {
		say = func(Event) {}
	}
	return &preparer{
		state: state, notify: say, logs: store,
		flights: make(map[string]*flight), warned: make(map[Event]bool),
		contents: make(map[string]contentStamp), pythons: make(map[string]string),
	}
}

// prepare makes a function's source ready to run. Its error is an *Error, or that
// of ctx.
func (p *preparer) prepare(ctx context.Context, s Spec) (prepared, error) {
	ready := prepared{Dir: filepath.Join(s.Folder, "src")}
	var err error
	switch s.Runtime {
	case model.NodeJS:
		ready.Stamp, err = p.node(ctx, &s, ready.Dir)
	case model.Go:
		ready.Command, ready.Stamp, err = p.golang(ctx, &s, ready.Dir)
	case model.Python:
		ready.Env, ready.Stamp, err = p.python(ctx, &s, ready.Dir)
	}
	if err == nil {
		ready.Env, err = p.layers(ctx, &s, ready.Env)
	}
	if err != nil {
		return prepared{}, err
	}
	return ready, nil
}

// report says an Event of a function.
func (p *preparer) report(s *Spec, kind, text string) {
	p.notify(Event{Kind: kind, Environment: s.Environment, Function: s.Name, Text: text})
}

// warn says a warning once.
func (p *preparer) warn(s *Spec, text string) {
	e := Event{Kind: EventWarning, Environment: s.Environment, Function: s.Name, Text: text}
	p.mu.Lock()
	again := p.warned[e]
	p.warned[e] = true
	p.mu.Unlock()
	if !again {
		p.log(s, logs.Warn, text)
		p.notify(e)
	}
}

// log appends a line to the function's log.
func (p *preparer) log(s *Spec, level logs.Level, text string) {
	if p.logs != nil {
		p.logs.Append(logs.Line{Environment: s.Environment, Function: s.Name, Level: level, Text: text})
	}
}

// prepareError is why a function cannot be made ready. It knows no function, since
// several may share what failed.
type prepareError struct {
	kind      ErrorKind
	text, fix string
}

func (u *prepareError) Error() string { return u.text }

// forFunction is the error as one forFunction a function.
func (u *prepareError) forFunction(s *Spec) *Error {
	return &Error{Kind: u.kind, Environment: s.Environment, Function: s.Name, Text: oneLine(u.text), Fix: oneLine(u.fix)}
}

func notPrepared(text, fix string) *prepareError { return &prepareError{NotPrepared, text, fix} }

// flight is something being done that several may wait for.
type flight struct {
	done      chan struct{}
	err       error
	cancel    context.CancelFunc
	waiting   int
	cancelled bool
}

// once does what is called name, or waits for whoever does it. Who waits no longer
// (ctx) goes; when all have gone, it is cancelled, and the last one sees its end.
func (p *preparer) once(ctx context.Context, s *Spec, name string, do func(context.Context) error) error {
	f := p.join(ctx, name, do)
	select {
	case <-f.done:
	case <-ctx.Done():
		p.mu.Lock()
		f.waiting--
		last := f.waiting == 0
		f.cancelled = last
		p.mu.Unlock()
		if last {
			f.cancel()
			<-f.done
		}
		return ctx.Err()
	}
	if u, ok := f.err.(*prepareError); ok {
		return u.forFunction(s)
	}
	return f.err
}

// join is the flight of a name; where there is none it begins.
func (p *preparer) join(ctx context.Context, name string, do func(context.Context) error) *flight {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		f := p.flights[name]
		if f != nil && !f.cancelled {
			f.waiting++
			return f
		}
		if f == nil {
			break
		}
		// It ends without a result: two at a time would be in each other's way.
		p.mu.Unlock()
		<-f.done
		p.mu.Lock()
	}
	doing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel, waiting: 1}
	p.flights[name] = f
	go func() {
		defer cancel()
		f.err = do(doing)
		p.mu.Lock()
		delete(p.flights, name)
		p.mu.Unlock()
		close(f.done)
	}()
	return f
}

// realPath is a path without links, so that two names of a folder are one.
func realPath(folder string) string {
	if path, err := filepath.EvalSymlinks(folder); err == nil {
		return path
	}
	return filepath.Clean(folder)
}
