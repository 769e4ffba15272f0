package project

import (
	"errors"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// EnvironmentFile has the name of the environment chosen on this machine.
var EnvironmentFile = journal.State[1]

// CurrentEnvironment returns the environment chosen on this machine, else the only one
// of the project; nil if none is chosen and there are several.
func (p *Project) CurrentEnvironment() *model.Environment {
	return EnvironmentOf(p.Backend, p.Chosen())
}

// ErrNoEnvironments is the error of [Project.Environment] if the project has none.
var ErrNoEnvironments = errors.New("the project has no environment; add one with: gatewright add env NAME")

// ErrNotChosen is its error if there are several and none is chosen.
var ErrNotChosen = errors.New("no environment is chosen")

// Environment finds the named environment; for "" it is the current one. The error
// names the nearest known name, or matches ErrNoEnvironments or ErrNotChosen.
func (p *Project) Environment(name string) (*model.Environment, error) {
	if name != "" {
		return p.Backend.Environment(name), p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	env := p.CurrentEnvironment()
	switch {
	case env != nil:
		return env, nil
	case len(p.Backend.Environments) == 0:
		return nil, &model.Problem{
			Text: "the project has no environment", Fix: "make one with: " + p.Backend.Adding(model.KindEnvironment),
			Cause: ErrNoEnvironments,
		}
	}
	return nil, ErrNotChosen
}

// Chosen names the environment that is chosen on this machine; "" if none is.
func (p *Project) Chosen() string {
	name, err := afero.ReadFile(p.FS, EnvironmentFile)
	if err == nil {
		return strings.TrimSpace(string(name))
	}
	if p.Amplify != nil {
		return p.Amplify.Chosen()
	}
	return ""
}

// EnvironmentOf finds the chosen environment, else the only one. In a project of the Amplify CLI, which
// deploys them, any will do: it is dev, else the first.
func EnvironmentOf(b *model.Backend, chosen string) *model.Environment {
	if e := b.Environment(chosen); e != nil {
		return e
	}
	switch {
	case len(b.Environments) == 1:
	case len(b.Environments) == 0 || b.Defines(model.KindEnvironment):
		return nil
	case b.Environment(model.FirstEnvironment) != nil:
		return b.Environment(model.FirstEnvironment)
	}
	return b.Environments[0]
}

// ClientFile reads the client configuration file. The error is fs.ErrNotExist if there is none, else a *Problem.
func (p *Project) ClientFile() ([]byte, error) { return read.Bytes(p.FS, ClientFile(p.Backend)) }

// ClientFileEnvironment names the environment that the client configuration file
// was written for; "" if that is unknown.
func (p *Project) ClientFileEnvironment() string { return p.LastRendering().Environment }
