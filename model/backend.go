package model

// Dialect is the set of words that the client configuration file is written in.
type Dialect string

// Neutral is the specification's words, Amplify the words that the public
// client libraries read (research/outputs-file.md 1.3).
const (
	Neutral Dialect = "neutral"
	Amplify Dialect = "amplify"
)

// Dialects lists every Dialect.
var Dialects = []Dialect{Neutral, Amplify}

// DefaultPort is the sandbox's port where the project names none.
const DefaultPort = 4280

// Project is what the project as a whole is called and how it is deployed.
type Project struct {
	Name          string
	ApplicationID string
	// Region is the default region of environments that name none.
	Region  string
	Dialect Dialect
	// SandboxPort is a TCP port; 0 means DefaultPort.
	SandboxPort int
}

// Port is the TCP port at which local environments answer.
func (p Project) Port() int {
	if p.SandboxPort == 0 {
		return DefaultPort
	}
	return p.SandboxPort
}

// Backend is everything that a project defines. Lists are sorted by name, but
// for Groups, which is in the user pool's order of precedence.
type Backend struct {
	Project      Project
	Environments []*Environment
	APIs         []*API
	Functions    []*Function
	Tables       []*Table
	Groups       []string
	// Auth, Data and Storage are nil where the project does not define them.
	Auth    *Auth
	Data    *Data
	Storage *Storage
	Outputs []*Output
	// AmplifyCLI says that the project belongs to the Amplify CLI. Functions and
	// groups that its APIs name and gatewright does not find are warnings then.
	AmplifyCLI bool
}

// Edit makes a changed copy: edit gets a shallow copy of b, and what it returns
// decides whether that copy is given back. b itself stays as it is.
func (b *Backend) Edit(edit func(*Backend) error) (*Backend, error) {
	next := *b
	if err := edit(&next); err != nil {
		return nil, err
	}
	return &next, nil
}

// Environment finds an environment by name; nil when there is none.
func (b *Backend) Environment(name string) *Environment {
	return find(b.Environments, name)
}

// API finds an API by its label; nil when there is none.
func (b *Backend) API(label string) *API { return find(b.APIs, label) }

// Function finds a function by its resource name; nil when there is none.
func (b *Backend) Function(name string) *Function { return find(b.Functions, name) }

// Table finds a table by name; nil when there is none.
func (b *Backend) Table(name string) *Table { return find(b.Tables, name) }

// Output finds what an addOutput call was given; nil when there is none.
func (b *Backend) Output(name string) *Output { return find(b.Outputs, name) }
