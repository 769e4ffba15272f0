// Package function says what a function of Lambda is ([Spec]), and what happens to one: a [Call]
// has an [Answer] or an [Error], and an [Event] is what people read. Package worker runs
// functions, and package prepare makes their sources ready.
package function

import (
	"time"

	"gatewright/model"
)

// Spec says how to run one function of one environment.
type Spec struct {
	// Environment and Name are resource names, DeployedName is the name of the
	// deployed function.
	Environment, Name, DeployedName string
	// Runtime is the language.
	Runtime model.Runtime
	// RuntimeName is the runtime's identifier in Lambda, such as nodejs16.x; "" is the one that runs
	// here. The AWS SDK that comes with a runtime depends on it.
	RuntimeName string
	// Architecture is the processor in the cloud; "" is model.X86.
	Architecture model.Architecture
	// Handler is a name such as "index.handler"; "" is the runtime's default.
	Handler string
	// Folder is the absolute path of the function's folder; its source is
	// Folder/src.
	Folder string
	// Project is the absolute path of the project's folder, or of the copy of what was pushed: no link
	// of the source leads out of it, packages in folders lie in it, and its .gatewrightignore counts. ""
	// is Folder for links, and any folder for packages.
	Project string
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
	// Kept says that the Amplify CLI keeps the definition.
	Kept bool
	// Fault is why the function cannot run, and every call fails; "" if it can.
	Fault string
}

// Build is a script of the project that makes a function's source, such as a compiler
// of TypeScript. It runs in a copy, so that nothing is written into the project.
type Build struct {
	// Root is the absolute path of the project; Script is the name of the script in its
	// package.json, and Command what that runs.
	Root, Script, Command string
}

// Cloud is what a function reaches instead of the cloud's services.
type Cloud struct {
	// Address is an http address of the loopback; Caller identifies the function there.
	Address, Caller string
	// Allow lets requests to services that the sandbox does not serve leave for the
	// cloud.
	Allow bool
}

// TimeLimit returns the time that a call has.
func (s *Spec) TimeLimit() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return model.DefaultTimeout * time.Second
}

// MemoryLimit returns the MB that a worker has.
func (s *Spec) MemoryLimit() int {
	if s.Memory > 0 {
		return s.Memory
	}
	return model.DefaultMemory
}

// HandlerName returns the name of the handler, also of one by default.
func (s *Spec) HandlerName() string {
	if s.Handler != "" {
		return s.Handler
	}
	return s.Runtime.Handler()
}

// NameInCloud returns the name of the deployed function, that of the resource if it has none.
func (s *Spec) NameInCloud() string {
	if s.DeployedName != "" {
		return s.DeployedName
	}
	return s.Name
}
