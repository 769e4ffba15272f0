package model

import (
	"gatewright/model/access"
	"gatewright/model/field"
)

// Dialect is the set of field names and values that the client configuration file is written in.
type Dialect string

// Neutral names no vendor. Amplify is what the Amplify client libraries read.
const (
	Neutral Dialect = "neutral"
	Amplify Dialect = "amplify"
)

// Dialects lists every Dialect.
var Dialects = []Dialect{Neutral, Amplify}

// DefaultPort is the sandbox's port if the project names none.
const DefaultPort = 4280

// Project is the settings of the project as a whole.
type Project struct {
	Name          string
	ApplicationID string
	// Region is the default region of environments that name none.
	Region  string
	Dialect Dialect
	// SandboxPort is a TCP port; 0 means DefaultPort.
	SandboxPort int
}

// Fields are the fields of project.json.
func (p *Project) Fields() []field.Row {
	return []field.Row{
		{Name: "name", Flag: "name", Value: &p.Name, Written: true},
		{Name: "applicationId", Flag: "app-id", Value: &p.ApplicationID, Written: true},
		{Name: "region", Flag: "region", Value: &p.Region},
		{Name: "dialect", Flag: "dialect", Value: (*string)(&p.Dialect), Words: field.Words(Dialects)},
		{Name: "sandboxPort", Flag: "sandbox-port", Value: &p.SandboxPort},
	}
}

// Port returns the TCP port at which the sandbox serves local environments.
func (p Project) Port() int {
	if p.SandboxPort == 0 {
		return DefaultPort
	}
	return p.SandboxPort
}

// Backend is everything that a project defines. Lists are sorted by name, except Groups,
// which is in the user pool's order of precedence.
type Backend struct {
	Project      Project
	Environments []*Environment
	APIs         []*access.API
	Functions    []*Function
	Tables       []*Table
	Groups       []string
	// Triggers are the functions that the user pool calls, in the order of Moments.
	Triggers []Trigger
	// Auth, Data and Storage are nil if the project does not define them.
	Auth    *Auth
	Data    *Data
	Storage *Storage
	Outputs []*Output
	// Layout is what the definitions mean; nil for the program's own layout.
	Layout Layout
}

// Edit calls edit with a shallow copy of b and returns the copy, or the error of edit. b itself stays as it is.
func (b *Backend) Edit(edit func(*Backend) error) (*Backend, error) {
	next := *b
	if err := edit(&next); err != nil {
		return nil, err
	}
	return &next, nil
}

// Environment finds an environment by name; nil when there is none.
func (b *Backend) Environment(name string) *Environment {
	return Find(b.Environments, name)
}

// API finds an API by its label; nil when there is none.
func (b *Backend) API(label string) *access.API { return Find(b.APIs, label) }

// Function finds a function by its resource name; nil when there is none.
func (b *Backend) Function(name string) *Function { return Find(b.Functions, name) }

// CreateNote says what else the action create does in a function, whose methods alone do not tell it; "" if nothing.
func (b *Backend) CreateNote(function string) string {
	if fn := b.Function(function); fn != nil && fn.Template == CRUD {
		return CreateReplaces
	}
	return ""
}

// Table finds a table by name; nil when there is none.
func (b *Backend) Table(name string) *Table { return Find(b.Tables, name) }

// Output finds an output by name; nil when there is none.
func (b *Backend) Output(name string) *Output { return Find(b.Outputs, name) }
