package worker

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"gatewright/internal/process"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/prepare"
)

// workerState is the state of a worker.
type workerState uint8

const (
	starting workerState = iota // it has not polled yet
	between                     // it has answered and not polled again
	idle                        // it has polled
	busy                        // it has a call
	ending                      // it was killed, or has ended
)

// worker is a process that runs one function, and its Runtime API. The lock of its
// pool guards every field that is changed after the start.
type worker struct {
	pool       *pool
	generation int
	told       *told
	spec       *function.Spec
	stream     string
	// made is when it was wanted, and began when its source was prepared and its process was started.
	made, began time.Time

	api     *api
	output  *output
	process *workerProcess
	// ended is closed when the process has ended, finished when all cleaning up is done.
	ended, finished chan struct{}

	// link is the connection that the process inherited, if it did.
	link *link

	state       workerState
	connections []*connection
	polls       []*connection
	current     *invocation
	ahead       *invocation  // its next call, sent while current runs
	unsent      atomic.Int32 // frames that are about to be written
	calls       int
	init        time.Duration // how long the start took; moved to the first call
	idleSince   time.Time
	polledOn    *connection // the connection of the poll that current answered
	reported    *report     // the runtime's report of its failed start
	hung        bool        // it was killed because it did not start in time
	reaped      bool        // its process id may belong to another process now
	timer       *time.Timer

	memory memory
}

// launch starts the process. The error is an *Error; then the caller ends the worker.
func (w *worker) launch(p prepare.Prepared, bootstraps string) error {
	command, failure := w.command(p, bootstraps)
	if failure != nil {
		return failure
	}
	api, err := newAPI(w)
	if err != nil {
		return w.notStarted("no loopback port is available: "+err.Error(), "end programs that use many ports")
	}
	w.api = api
	read, write, err := os.Pipe()
	if err != nil {
		return w.notStarted("no pipe is available: "+err.Error(), "end programs that have many files open")
	}
	defer write.Close()
	w.output = newOutput(read, w.pool.runner.options.Logs, w.spec.Environment, w.spec.Name)
	w.output.source = &ownSource{pool: w.pool, told: w.told, folders: withRealPaths(ownFolders(w.spec, p))}
	w.output.copied, w.output.original, w.output.opt = p.Dir, p.Source, p.Opt
	if w.spec.Inspect {
		w.output.onInspect = func(address string) {
			w.pool.notify(function.EventInspect, address+" (remote root "+phrase.Quote(p.Dir)+")")
		}
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = environment(w.spec, p, api.address+api.secret, w.stream, bootstraps)
	cmd.Stdout, cmd.Stderr = write, write
	w.shareConnection(cmd)
	process, err := w.pool.runner.startProcess(cmd, ownFolders(w.spec, p))
	if err != nil {
		read.Close()
		w.link.close()
		return w.notStarted(function.OneLine(err.Error()), "check that the folder and the program exist")
	}
	if process.unguarded != "" {
		w.pool.runner.preparer.Warn(w.spec, "processes that it detaches may outlive the sandbox: "+process.unguarded)
	}
	if process.writable != "" {
		w.pool.runner.preparer.Warn(w.spec,
			"its source cannot be read-only, as it is in the cloud: programs that it runs, and functions in Go, can "+
				"write there: "+process.writable)
	}
	go w.output.read()
	defer func() {
		go api.serve()
		if l := w.link; l != nil {
			go func() {
				defer close(l.ended)
				api.handle(l.runnerEnd, l)
			}()
		}
	}()
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.process = process
	if w.state == ending {
		process.Kill()
	}
	return nil
}

// shareConnection lets a Node.js process inherit a connection to its Runtime API. A
// process with a debugger uses the address instead: it must not block while it waits.
func (w *worker) shareConnection(cmd *exec.Cmd) {
	if w.spec.Runtime != model.NodeJS || w.spec.Inspect {
		return
	}
	if w.link = newLink(); w.link != nil {
		cmd.ExtraFiles = []*os.File{w.link.workerEnd}
		cmd.Env = append(cmd.Env, connectionVariable+"=3")
	}
}

// connectionVariable has the number of the inherited connection: the first after the
// standard streams. The bootstrap removes the variable.
const connectionVariable = "GATEWRIGHT_CONNECTION"

// command returns the command to run: a Go program itself, or a bootstrap with its runtime.
func (w *worker) command(p prepare.Prepared, bootstraps string) ([]string, *function.Error) {
	if _, interpreted := prepare.Interpreters[w.spec.Runtime]; !interpreted {
		if len(p.Command) == 0 {
			return nil, w.failure(function.NoRuntime, "the runtime "+phrase.Quote(string(w.spec.Runtime))+" is not supported",
				"use a runtime of Node.js, Python or Go")
		}
		return p.Command, nil
	}
	if problem := (*model.Problem)(nil); errors.As(model.CheckHandler(w.spec.HandlerName()), &problem) {
		return nil, w.failure(function.NotStarted, problem.Text, problem.Fix)
	}
	if err := w.pool.runner.bootstrapsErr; err != nil {
		return nil, w.notStarted("the bootstraps cannot be written: "+function.OneLine(err.Error()),
			"make the sandbox's state folder writable")
	}
	found, ok := prepare.FindInterpreter(w.spec, w.pool.runner.options.Cache)
	path := found.Path
	switch {
	case !ok && w.spec.Runtime == model.Python:
		return nil, w.failure(function.NoRuntime, "Python is not installed",
			"install Python 3.9 or later, or add it to PATH as "+prepare.Interpreters[model.Python][0])
	case !ok:
		return nil, w.failure(function.NoRuntime, "Node.js is not installed",
			"install Node.js 20 or later, or add it to PATH as node")
	case w.spec.Runtime == model.Python:
		// Nothing that was installed for this machine's own programs is there in Lambda.
		return []string{path, "-s", "-S", filepath.Join(bootstraps, pythonBootstrap)}, nil
	}
	command := append([]string{path}, nodeHeap(w.spec.MemoryLimit(), w.pool.runner.options.StrictMemory)...)
	if w.spec.Inspect {
		command = append(command, "--inspect-brk=127.0.0.1:0")
	}
	return append(command, filepath.Join(bootstraps, nodeBootstrap)), nil
}

// wait returns when the process has ended and its group is killed.
func (w *worker) wait() {
	<-w.process.ended
	close(w.ended)
	w.link.drain()
	w.pool.mu.Lock()
	w.process.Close()
	w.reaped = true
	w.pool.mu.Unlock()
	select {
	case <-w.output.done:
	case <-time.After(strayPatience):
	}
}

// strayPatience is how long the end of a worker waits for the end of its output: a
// process that left the group may still have the pipe open.
const strayPatience = 100 * time.Millisecond

// sweep kills the processes that left the group.
func (w *worker) sweep() {
	process.KillStrays("AWS_LAMBDA_LOG_STREAM_NAME=" + w.stream)
	select {
	case <-w.output.done:
	case <-time.After(strayPatience):
		w.output.pipe.Close()
	}
}

// kill kills the process group. The lock of the pool is held.
func (w *worker) kill() {
	w.state = ending
	w.pool.putBack(w)
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.process != nil && !w.reaped {
		w.process.Kill()
	}
}

// release closes the worker's listener and connections.
func (w *worker) release() {
	if w.api == nil {
		return
	}
	w.api.listener.Close()
	w.pool.mu.Lock()
	connections := slices.Clone(w.connections)
	w.state = ending
	w.pool.mu.Unlock()
	for _, c := range connections {
		c.socket.Close()
	}
	w.link.close()
}

// connected adds a connection; it is false if the worker has ended.
func (w *worker) connected(c *connection) bool {
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	if w.state == ending {
		return false
	}
	w.connections = append(w.connections, c)
	return true
}

func (w *worker) disconnected(c *connection) {
	c.socket.Close()
	w.pool.mu.Lock()
	defer w.pool.mu.Unlock()
	w.connections = slices.DeleteFunc(w.connections, func(o *connection) bool { return o == c })
	w.polls = slices.DeleteFunc(w.polls, func(o *connection) bool { return o == c })
	if w.state == idle && len(w.polls) == 0 {
		w.state = between
		w.pool.idle = slices.DeleteFunc(w.pool.idle, func(o *worker) bool { return o == w })
	}
}
