package sandbox

import (
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/trigger"
)

// Config is everything that a sandbox serves. The first environment is served from its
// present definition, the others as they were pushed.
type Config struct{ Environments []Environment }

// Environment is everything that is served of one environment.
type Environment struct {
	Name, Region, AccountID string
	APIs                    []gateway.API
	Functions               []function.Spec
	Schedules               []trigger.Entry
	Tables                  []Table
	// Grants are the statements of the role of each function, by the function's name, and Definitions
	// what a message about them starts from.
	Grants      map[string][]cfn.Statement
	Definitions map[string]*model.Function
	// FromTemplates means that the grants are those of templates of the Amplify CLI, which no
	// command here changes.
	FromTemplates bool
	// Pool is the user pool with its identity pool; nil if the environment has none.
	Pool *pool.Pool
	// Values are the values of parameters and secrets that functions read from the cloud's
	// services, by name; ValuesFile is the file where they are, for messages.
	Values     map[string]string
	ValuesFile string
	// Secrets are values of the functions' variables that logs must not show.
	Secrets []string
}

// Event is news for the person who runs a sandbox. Its Text is one line.
type Event = function.Event

// Kinds of events: a table that does not match its definition, a code that Cognito would
// send to a user, a feature of a user pool that the sandbox lacks, a scheduled call and
// a trigger that failed, a request of a function to a service of the cloud that was refused,
// damage of a file of the state, and a request or an answer that breaks the contract of its API.
const (
	EventTable    = "table"
	EventCode     = "code"
	EventPool     = "pool"
	EventSchedule = "schedule"
	EventTrigger  = "trigger"
	EventCloud    = "cloud"
	EventDamage   = "damage"
	EventContract = "contract"
)

// Options configure a sandbox.
type Options struct {
	// State is the state folder.
	State string
	// Cache is the folder for installed packages, which all sandboxes of a user share; ""
	// is a folder below State.
	Cache string
	// Port is the TCP port of the APIs; 0 is any free port.
	Port int
	// Inspect is the function of the first environment that listens for a debugger, or "".
	Inspect           string
	RequireSignatures bool
	// StrictMemory kills a function that uses more memory than it has.
	StrictMemory bool
	// TableEndpoint is the endpoint of another service for all tables, or "" for the
	// sandbox's own tables.
	TableEndpoint string
	// Notify is called for each event; it may be nil.
	Notify func(Event)
	// Refresh and Stop do what a client's Refresh and Stop ask for; each may be nil. Stop
	// must not wait for the sandbox to close.
	Refresh func() error
	Stop    func()
}
