package function

import (
	"time"

	"gatewright/model"
	"gatewright/sandbox/logs"
)

// Spec says how to run one function of one environment.
type Spec struct {
	// Environment and Name are resource names, DeployedName is the name of the
	// deployed function.
	Environment, Name, DeployedName string
	Runtime                         model.Runtime
	// RuntimeName is the runtime's identifier in Lambda, such as nodejs16.x; "" is the
	// newest. The AWS SDK that comes with a runtime depends on it.
	RuntimeName string
	// Handler is a name such as "index.handler"; "" is the runtime's default.
	Handler string
	// Folder is the absolute path of the function's folder; its source is
	// Folder/src.
	Folder string
	// Timeout and Memory (MB): 0 means model.DefaultTimeout and
	// model.DefaultMemory.
	Timeout time.Duration
	Memory  int
	// Variables are all environment variables from the project, also for secrets and
	// access to resources. Their values are never in logs, errors or events of this package.
	Variables map[string]string
	// Public are values among them that are no secrets, such as names of tables.
	Public []string
	// Layers are absolute folders, in order.
	Layers            []string
	Region, AccountID string
	// Build is the script that makes the source; nil if none does.
	Build *Build
	// Cloud is where requests to the cloud's services go; nil leaves them alone.
	Cloud *Cloud
	// Inspect starts one worker (Node.js only) that waits for a debugger on a
	// loopback port, whose address is in an Event, and has no timeout.
	Inspect bool
}

// Cloud is what a function reaches instead of the cloud's services.
type Cloud struct {
	// Address is an http address of the loopback; Caller identifies the function there.
	Address, Caller string
	// Allow lets requests to services that the sandbox does not serve leave for the
	// cloud.
	Allow bool
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
	// Notify receives every Event; it may be nil, and must not wait for the Runner.
	Notify func(Event)
}

// The Kinds of an Event.
const (
	EventInstall = "install" // npm or pip gets packages
	EventBuild   = "build"   // the Go command builds the program
	EventStart   = "start"   // a worker is being started
	EventReady   = "ready"   // a worker waits for its first call
	EventChange  = "change"  // the source changed
	EventCrash   = "crash"   // a worker ended by itself, or could not start
	EventStopped = "stopped" // three starts failed: no more until the source changes
	EventInspect = "inspect" // a debugger can be attached; Text is its address
	EventWarning = "warning"
)

// Event is a message for the people who run a sandbox.
type Event struct{ Kind, Environment, Function, Text string }
