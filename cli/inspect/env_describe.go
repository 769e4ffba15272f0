package inspect

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gatewright/cli/command"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// environment is an environment as `env list` and `env show` report it.
type environment struct {
	Name     string         `json:"name"`
	Current  bool           `json:"current"`
	Provider model.Provider `json:"provider"`
	// Region and Branch have their defaults if the definition gives none.
	Region  string `json:"region"`
	Account string `json:"account,omitempty"`
	Branch  string `json:"branch"`
	Guarded bool   `json:"guarded"`
	// Profile says that an AWS profile is kept for it on this machine.
	Profile bool `json:"profile"`
	// APIs are the labels of its APIs. AllAPIs says that it has every API, later ones too.
	APIs       []string                     `json:"apis"`
	AllAPIs    bool                         `json:"allApis"`
	Parameters map[string]string            `json:"parameters"`
	Variables  map[string]map[string]string `json:"variables"`
	Data       model.Outputs                `json:"data,omitempty"`
	Storage    model.Outputs                `json:"storage,omitempty"`
	Stack      string                       `json:"stack,omitempty"`
	// Pushed is the time of the last push, Pushing says that a push is under way, Unknown why
	// the last push cannot be read.
	Pushed    *time.Time        `json:"pushed,omitempty"`
	Pushing   bool              `json:"pushing"`
	Unknown   string            `json:"unknown,omitempty"`
	Endpoints map[string]string `json:"endpoints"`

	// facts are the facts of the definition, last those of the last push, addresses its
	// endpoints.
	facts, last, addresses []project.Fact
	// amplifyCLI says that the Amplify CLI pushes it.
	amplifyCLI bool
	// clock writes the time of the last push.
	clock clock.Zoned
}

func describe(streams command.Streams, p *project.Project, e *model.Environment) (environment, error) {
	current := p.CurrentEnvironment()
	d := environment{
		clock: streams.Clock(),
		Name:  e.Name, Current: current != nil && current.Name == e.Name, Provider: e.Provider,
		Region: p.Backend.Region(e), Account: e.Account, Branch: e.BranchName(), Guarded: e.Guarded,
		Profile: p.Profile(e.Name) != "",
		APIs:    []string{}, AllAPIs: e.APIs == nil, Variables: make(map[string]map[string]string),
		Endpoints: make(map[string]string),
	}
	if d.amplifyCLI = p.Foreign(); d.amplifyCLI {
		d.Region = e.Region
	}
	for _, api := range p.Backend.APIs {
		if e.Has(api.Label) {
			d.APIs = append(d.APIs, api.Label)
		}
	}
	d.Parameters = variableValues(e.Parameters)
	for _, v := range e.Variables {
		d.Variables[v.Function] = variableValues(v.Values)
	}
	facts, err := project.EnvironmentFacts(p.Backend, e)
	if err != nil {
		return d, err
	}
	d.facts = facts
	if e.Data != nil {
		d.Data, err = model.OutputsOf(e.Data)
	}
	if e.Storage != nil && err == nil {
		d.Storage, err = model.OutputsOf(e.Storage)
	}
	if err != nil {
		return d, err
	}
	d.deployment(p)
	return d, nil
}

// deployment adds the facts of the last push.
func (e *environment) deployment(p *project.Project) {
	if p.Foreign() {
		return
	}
	record, err := project.ReadRecord(p.Root, e.Name)
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		return
	case errors.Is(err, project.ErrDeploying):
		e.Pushing = true
		return
	case err != nil:
		e.Unknown = err.Error()
		return
	}
	e.Stack, e.Pushed = record.Stack, &record.Deployed
	e.addresses = project.EndpointFacts(record)
	e.last = project.DeploymentFacts(p.Backend, p.Backend.Environment(e.Name), record)
	for _, endpoint := range record.APIs {
		e.Endpoints[endpoint.API] = endpoint.URL
	}
}

func variableValues(variables []model.Variable) map[string]string {
	values := make(map[string]string, len(variables))
	for _, v := range variables {
		values[v.Name] = v.Value
	}
	return values
}

// pushed returns the time of the last push as text.
func (e environment) pushed() string {
	switch {
	case e.amplifyCLI:
		return "by the Amplify CLI"
	case e.Pushing:
		return "being pushed"
	case e.Unknown != "":
		return "unknown"
	case e.Pushed == nil:
		return "never"
	}
	return e.clock.Moment(*e.Pushed)
}

// public returns the environment without its secrets.
func (e environment) public() environment {
	e.Parameters = withoutSecrets(e.Parameters)
	variables := maps.Clone(e.Variables)
	for function, values := range variables {
		variables[function] = withoutSecrets(values)
	}
	e.Variables = variables
	for _, values := range []*model.Outputs{&e.Data, &e.Storage} {
		if *values != nil {
			shown, _ := model.WithoutSecrets("", *values).(map[string]any)
			*values = shown
		}
	}
	return e
}

func withoutSecrets(values map[string]string) map[string]string {
	shown := maps.Clone(values)
	for name, value := range shown {
		shown[name] = project.NewFact(name, value).Shown
	}
	return shown
}

// text returns everything about the environment, one fact per line, folded at width cells; 0
// means not folded.
func (e environment) text(width int) string {
	var b strings.Builder
	b.WriteString("environment " + phrase.Quote(e.Name))
	if e.Current {
		b.WriteString(" (chosen)")
	}
	b.WriteByte('\n')
	pushed := e.pushed()
	if e.Unknown != "" {
		pushed += ": " + e.Unknown
	}
	rows := factRows(e.facts)
	if e.Profile {
		rows = append(rows, []string{"profile", "kept on this machine"})
	}
	rows = append(rows, []string{"last pushed", pushed})
	rows = append(rows, factRows(e.last)...)
	command.WriteColumns(&b, "  ", width, rows)
	return b.String()
}

func factRows(facts []project.Fact) [][]string {
	var rows [][]string
	for _, f := range facts {
		rows = append(rows, []string{f.Name, plainValue(f.Shown)})
	}
	return rows
}

// plainValue returns a value on one line: as it is if all of it is visible, else quoted.
func plainValue(value string) string {
	invisible := func(r rune) bool { return !unicode.IsPrint(r) }
	if value == "" || strings.TrimSpace(value) != value || !utf8.ValidString(value) ||
		strings.ContainsFunc(value, invisible) {
		return strconv.Quote(value)
	}
	return value
}
