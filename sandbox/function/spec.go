package function

import (
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// Spec is one function of one environment, as it is to be run.
type Spec struct {
	// Environment and Name are resource names, DeployedName is the name of the
	// deployed function.
	Environment, Name, DeployedName string
	Runtime                         model.Runtime
	// Handler is "index.handler"; "" is the runtime's usual one.
	Handler string
	// Folder is the absolute path of the function's folder; its source is
	// Folder/src.
	Folder string
	// Timeout and Memory (MB): 0 means model.DefaultTimeout and
	// model.DefaultMemory.
	Timeout time.Duration
	Memory  int
	// Variables are all that the project gives: own ones, secrets, access to
	// resources. Their values are never in logs, errors or events of this package.
	Variables map[string]string
	// Layers are absolute folders, in order.
	Layers            []string
	Region, AccountID string
	// Inspect starts one worker (Node.js only) that waits for a debugger on a
	// loopback port, told by an Event, and has no time-out.
	Inspect bool
}

func (s *Spec) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return model.DefaultTimeout * time.Second
}

func (s *Spec) memory() int {
	if s.Memory > 0 {
		return s.Memory
	}
	return model.DefaultMemory
}

func (s *Spec) handler() string {
	if s.Handler != "" {
		return s.Handler
	}
	return s.Runtime.Handler()
}

func (s *Spec) deployedName() string {
	if s.DeployedName != "" {
		return s.DeployedName
	}
	return s.Name
}

// Options say how a Runner works.
type Options struct {
	// Logs gets every line that functions write.
	Logs *logs.Store
	// State is a folder of the Runner's own: bootstraps, built programs, npm's log.
	State string
	// MaxWorkers is how many workers one function may have; 0 means as many as there are
	// processors, at least 2 and at most 10.
	MaxWorkers int
	// Idle is how long a worker without a call is kept; 0 means 5 minutes.
	Idle time.Duration
	// Notify is told what happens; it may be nil, and must not wait for the Runner.
	Notify func(Event)
}

// The Kinds of an Event.
const (
	EventInstall = "install" // npm or pip gets packages
	EventBuild   = "build"   // the Go command builds the program
	EventStart   = "start"   // a worker is being started
	EventReady   = "ready"   // it waits for its first call
	EventChange  = "change"  // the source changed
	EventCrash   = "crash"   // a worker ended by itself, or could not start
	EventStopped = "stopped" // three failed starts: none until the source changes
	EventInspect = "inspect" // a debugger can be attached; Text is its address
	EventWarning = "warning"
)

// Event is something that people who run a sandbox want to know.
type Event struct{ Kind, Environment, Function, Text string }
