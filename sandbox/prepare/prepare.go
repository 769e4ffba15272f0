// Package prepare makes the sources of functions ready to run, without a file in them: it installs
// packages with npm or pip, builds programs with the Go command, runs the scripts of a project that
// make sources, compiles TypeScript, and finds the content of layers and the AWS SDK that comes with
// a runtime. A [Preparer] does so for the workers of this machine, a [Packager] for those of Lambda.
package prepare

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gatewright/internal/file"
	"gatewright/internal/file/fingerprint"
	"gatewright/internal/text/lazyregexp"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/artifact"
	"gatewright/sandbox/function"
	"gatewright/sandbox/logs"
)

// Prepared is a source that is ready to run.
type Prepared struct {
	// Command is a Go program; it is empty if a bootstrap runs the source.
	Command []string
	// Env are NAME=value pairs for installed packages and layers.
	Env []string
	// Dir is the folder to start in, a copy of Source as Lambda would have it; each is the other in
	// what people read.
	Dir, Source string
	// Opt is the folder that is /opt for it, "" without layers.
	Opt string
	// Stamp is the fingerprint of the files that it was prepared from.
	Stamp string
	// Lookup says where the modules of a Node.js function are besides its folder.
	Lookup *Lookup
}

// Preparer makes sources ready to run: it installs packages, builds programs and finds
// layers. Simultaneous requests for the same thing share one run, and nothing is done
// again until the files that it depends on change.
type Preparer struct {
	state string
	cache string
	// lambda means that sources are prepared for Lambda's machine, and not for this one.
	lambda bool
	notify func(function.Event)
	logs   *logs.Store

	mu      sync.Mutex
	flights map[string]*flight
	// warned are the warnings that were given.
	warned map[function.Event]bool
	// contents are fingerprints of sources, by folder.
	contents map[string]contentStamp
	// tasks are the folders with laid out functions, by their paths, scripts what files import, by theirs.
	tasks   map[string]*artifact.Task
	scripts map[string]script
	// programs are the compiled handlers, by environment and name.
	programs map[string]program
	// missed are packages of the runtime that a function's start missed, by its folder.
	missed map[string][]string
	// failed are runs that failed, by their names.
	failed map[string]*failure
	// prunedPrograms and pruned are done once, before the first build or installation.
	prunedPrograms, pruned sync.Once
}

// NewPreparer returns a preparer with a folder for programs and logs, and one for installed packages,
// "" for one below the first. It sends events to say and lines to the store; either may be nil.
func NewPreparer(state, cache string, say func(function.Event), store *logs.Store) *Preparer {
	if say == nil {
		say = func(function.Event) {}
	}
	if cache == "" {
		cache = filepath.Join(state, "cache")
	}
	return &Preparer{
		state: state, cache: cache, notify: say, logs: store,
		flights: make(map[string]*flight), warned: make(map[function.Event]bool),
		contents: make(map[string]contentStamp),
		missed:   make(map[string][]string), failed: make(map[string]*failure), programs: make(map[string]program),
		tasks: make(map[string]*artifact.Task), scripts: make(map[string]script),
	}
}

// Prepare makes a function's source ready to run, and calls reading, which may be nil, before it reads
// for the last time what the function runs from. The error is an *Error or ctx.Err().
func (p *Preparer) Prepare(ctx context.Context, s function.Spec, reading func()) (Prepared, error) {
	ready := Prepared{Source: filepath.Join(s.Folder, "src")}
	if reading == nil {
		reading = func() {}
	}
	var err error
	if s.Build != nil {
		reading()
		if ready.Source, err = p.built(ctx, &s); err != nil {
			return Prepared{}, err
		}
		reading = func() {}
	}
	layers, err := p.installLayers(ctx, &s)
	if err != nil {
		return Prepared{}, err
	}
	add := func(*artifact.Listing) error { return nil }
	switch s.Runtime {
	case model.NodeJS:
		ready, add, err = p.nodeFunction(ctx, &s, ready, layers, reading)
	case model.Go:
		reading()
		ready.Command, ready.Stamp, err = p.golang(ctx, &s, ready.Source)
		add = func(l *artifact.Listing) error { return l.AddGo(ready.Command[0]) }
	case model.Python:
		if ready.Env, ready.Stamp, err = p.python(ctx, &s, ready.Source); err == nil {
			ready.Env, err = p.layersOfPython(ctx, &s, ready.Env)
		}
		reading()
	}
	if err == nil && s.Runtime != model.NodeJS {
		err = p.opt(&s, layers, &ready)
	}
	if err == nil {
		ready.Dir, err = p.lay(&s, ready.Source, add)
	}
	if err != nil {
		return Prepared{}, err
	}
	if modules := filepath.Join(ready.Dir, "node_modules"); ready.Lookup != nil && isFolder(modules) {
		ready.Lookup.Modules = file.RealPath(modules)
	}
	return ready, nil
}

// lay lays out what a function has in Lambda, and returns the folder. add adds what is not of its
// source.
func (p *Preparer) lay(s *function.Spec, source string, add func(*artifact.Listing) error) (string, error) {
	if !isFolder(source) {
		return "", (&prepareError{
			kind: function.NotStarted, text: "its folder " + phrase.Quote(filepath.Base(source)) + " does not exist",
			fix: "restore it, or remove the function",
		}).forFunction(s)
	}
	of := artifact.Source{
		Name: s.Name, Folder: source, Project: s.Project, Original: filepath.Join(s.Folder, "src"), Runtime: s.Runtime,
		Handler: s.Handler,
	}
	return p.layTask(s, s.Name, func() (*artifact.Listing, error) {
		l, err := of.List(false)
		if err == nil {
			err = add(l)
		}
		return l, err
	})
}

// layTask lays out an artifact in the task folder of a name, whose path without links it returns.
func (p *Preparer) layTask(s *function.Spec, name string, list func() (*artifact.Listing, error)) (string, error) {
	p.complete(tasksOf(p.cache, p.state)) // it is in use
	return p.layInto(s, TaskFolder(p.cache, p.state, s.Environment, name), list)
}

// layInto lays out an artifact in a folder, whose path without links it returns.
func (p *Preparer) layInto(s *function.Spec, folder string, list func() (*artifact.Listing, error)) (string, error) {
	p.mu.Lock()
	task := p.tasks[folder]
	if task == nil {
		task = &artifact.Task{Folder: folder}
		p.tasks[folder] = task
	}
	p.mu.Unlock()
	err := task.Lay(list)
	if problem, ok := errors.AsType[*model.Problem](err); ok {
		err = notPrepared(problem.Text, problem.Fix)
		ofDisk(&err, folder)
		return "", errorOf(s, err)
	}
	return file.RealPath(folder), errorOf(s, err)
}

// TaskFolder is the folder in which a function is laid out.
func TaskFolder(cache, state, environment, name string) string {
	return filepath.Join(tasksOf(cache, state), environment, name, "task")
}

// tasksOf is the folder of the task folders of a state, among those of other states. It is outside of the
// project, so that nothing finds there what is not of the function: neither a process nor a thread that it starts.
func tasksOf(cache, state string) string {
	sum := fingerprint.New()
	sum.Text(file.RealPath(state))
	return filepath.Join(allTasks(cache), sum.String()[:32])
}

// allTasks is the folder of the task folders of all states. No folder of its path is hidden, as none of
// /var/task is: Express sends no file from such a folder, for one (https://expressjs.com/en/api.html#res.sendFile).
func allTasks(cache string) string {
	if strings.Contains(filepath.ToSlash(cache), "/.") {
		cache = cmp.Or(file.PrivateTemp("gatewright"), cache)
	}
	return filepath.Join(cache, "tasks")
}

// report sends an Event of a function.
func (p *Preparer) report(s *function.Spec, kind, text string) {
	p.notify(function.Event{Kind: kind, Environment: s.Environment, Function: s.Name, Text: text})
}

// Warn gives a warning once, as an Event and in the log.
func (p *Preparer) Warn(s *function.Spec, text string) {
	e := function.Event{Kind: function.EventWarning, Environment: s.Environment, Function: s.Name, Text: text}
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
func (p *Preparer) log(s *function.Spec, level logs.Level, text string) {
	if p.logs != nil {
		p.logs.Append(logs.Line{Environment: s.Environment, Function: s.Name, Level: level, Text: text})
	}
}

// prepareError is why preparing failed. It names no function, because several may share
// the run that failed.
type prepareError struct {
	kind      function.ErrorKind
	text, fix string
	// passing means that it may end without a change of a file: a network was missing, or a disk was full.
	// kept is that of an Error.
	passing, kept bool
}

func (u *prepareError) Error() string { return u.text }

// forFunction returns the error as an *Error of a function.
func (u *prepareError) forFunction(s *function.Spec) *function.Error {
	return &function.Error{
		Kind: u.kind, Environment: s.Environment, Function: s.Name, Text: function.OneLine(u.text),
		Fix: function.OneLine(u.fix), Kept: u.kept,
	}
}

func notPrepared(text, fix string) *prepareError {
	return &prepareError{kind: function.NotPrepared, text: text, fix: fix}
}

func noRuntime(text, fix string) *prepareError {
	return &prepareError{kind: function.NoRuntime, text: text, fix: fix}
}

func notReached(text, fix string) *prepareError {
	return &prepareError{kind: function.NotPrepared, text: text, fix: fix, passing: true}
}

// full matches what programs and systems say of a full disk. A limit of watches is an ENOSPC too.
var full = lazyregexp.New(`(?i)\bcode ENOSPC|no space left on device|disk quota exceeded|not enough space on the disk`)

// ofDisk has an error of what fills a folder say that the disk is full, if that is why. Programs that do may
// have written elsewhere, too.
func ofDisk(err *error, folder string) {
	if u, ok := (*err).(*prepareError); ok && full().MatchString(u.text) {
		*err = &prepareError{
			kind: u.kind, text: "the disk is full: " + u.text, passing: true, kept: true,
			fix: "free space in " + phrase.QuotePath(folder) + ", or, if there is some, in your home and for temporary files",
		}
	}
}

// failure is a run that failed.
type failure struct {
	why  *prepareError
	when time.Time
	// looks are how the folders of the functions that heard of it looked then.
	looks map[string]string
}

// untilReached is after what time a registry that was not reachable, or a disk that was full, is asked again.
const untilReached = 30 * time.Second

// tried calls do as once does, but for what failed before: that is tried again when a file of the function's
// folder has changed, or, if it may pass, after some time. The name says what else do reads.
func (p *Preparer) tried(ctx context.Context, s *function.Spec, name string, do func(context.Context) error) error {
	// A folder that cannot be read looks as before.
	looks, _ := fingerprint.Attributes(s.Folder)
	p.mu.Lock()
	f := p.failed[name]
	if f != nil && !(f.why.passing && time.Since(f.when) > untilReached) {
		was, heard := f.looks[s.Folder]
		f.looks[s.Folder] = cmp.Or(was, looks)
		if !heard || was == looks {
			p.mu.Unlock()
			return f.why.forFunction(s)
		}
	}
	p.mu.Unlock()
	return p.once(ctx, s, name, func(ctx context.Context) error {
		err := do(ctx)
		if u, ok := err.(*prepareError); ok && u.kind == function.NotPrepared {
			u.kept = true
			p.mu.Lock()
			p.failed[name] = &failure{u, time.Now(), map[string]string{s.Folder: looks}}
			p.mu.Unlock()
		}
		return err
	})
}

// flight is a run that several callers may wait for.
type flight struct {
	done      chan struct{}
	err       error
	cancel    context.CancelFunc
	waiting   int
	cancelled bool
}

// once calls do, unless a call under the same name runs: then it waits for that one. The end of ctx ends the
// wait; when no caller waits any more, do is cancelled, and the last caller waits for its end.
func (p *Preparer) once(ctx context.Context, s *function.Spec, name string, do func(context.Context) error) error {
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

// join returns the flight of a name, which it begins if there is none.
func (p *Preparer) join(ctx context.Context, name string, do func(context.Context) error) *flight {
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
		// A cancelled flight must end before the next one begins.
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
