package sandbox

import (
	"gatewright/sandbox/function"
	"gatewright/sandbox/gateway"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/trigger"
)

// Config is all that a sandbox serves. The first environment is served as it is
// defined now, the others as they were pushed.
type Config struct{ Environments []Environment }

// Environment is what is served of one environment.
type Environment struct {
	Name, Region, AccountID string
	APIs                    []gateway.API
	Functions               []function.Spec
	Schedules               []trigger.Entry
	Tables                  []Table
	// Grants say what each function may do with tables, by its name.
	Grants map[string][]Grant
	// Pool is the user pool and the identity pool; nil where no user pool is part of
	// the environment.
	Pool *pool.Pool
	// Secrets are the values among the functions' variables that no log may show.
	Secrets []string
}

// Event is something that people who run a sandbox want to know. Text is fit for
// a line of text.
type Event = function.Event

// EventTable is the Kind of an Event about a table that is not as its definition
// has it.
const EventTable = "table"

// EventCode is the Kind of an Event about a code that the cloud would send to
// somebody, EventPool of one about what a user pool lacks here.
const (
	EventCode = "code"
	EventPool = "pool"
)

// EventSchedule is the Kind of an Event about a schedule that could not be kept.
const EventSchedule = "schedule"

// Options say how a sandbox is run.
type Options struct {
	// State is the folder that it owns.
	State string
	// Port is the TCP port of the APIs; 0 is any free one.
	Port int
	// Inspect names the function of the first environment that a debugger is to be
	// attached to; "" for none.
	Inspect           string
	RequireSignatures bool
	// TableEndpoint is that of another service for all tables; "" is the sandbox's
	// own.
	TableEndpoint string
	// Say is told what happens; it may be nil.
	Say func(Event)
	// Refresh is what a client's Refresh does, Stop what its Stop does; each may be
	// nil. Stop must not wait for the sandbox to close.
	Refresh func() error
	Stop    func()
}
