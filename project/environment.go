package project

import (
	"errors"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/journal"
)

// environmentFile holds the name of the environment that was chosen on this
// machine.
var environmentFile = journal.State[1]

// CurrentEnvironment is the environment chosen on this machine, or the only one
// there is; nil where there is no saying.
func (p *Project) CurrentEnvironment() *model.Environment {
	return environmentOf(p.Backend, p.chosen())
}

// ErrNoEnvironments is the error of looking for an environment where there is none.
var ErrNoEnvironments = errors.New("the project has no environment; make one with: gatewright add env NAME")

// ErrNotChosen is the error where it cannot be said which environment is meant.
var ErrNotChosen = errors.New("no environment is chosen")

// Environment is the environment of that name, or for an empty one the current
// environment. An unknown name is told with the nearest one; else the error is
// ErrNoEnvironments or ErrNotChosen.
func (p *Project) Environment(name string) (*model.Environment, error) {
	if name != "" {
		return p.Backend.Environment(name), p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	env := p.CurrentEnvironment()
	switch {
	case env != nil:
		return env, nil
	case len(p.Backend.Environments) == 0:
		return nil, ErrNoEnvironments
	}
	return nil, ErrNotChosen
}

func (p *Project) chosen() string {
	name, err := afero.ReadFile(p.fsys, environmentFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(name))
}

func environmentOf(b *model.Backend, chosen string) *model.Environment {
	if e := b.Environment(chosen); e != nil {
		return e
	}
	if len(b.Environments) == 1 {
		return b.Environments[0]
	}
	return nil
}

// environment is CurrentEnvironment of the planned backend. One that was chosen
// and gets another name stays chosen.
func (pl *planner) environment() (*model.Environment, error) {
	chosen := pl.chosen()
	for to, from := range pl.renames[model.KindEnvironment] {
		if from == chosen {
			return pl.next.Environment(to), pl.writeState(environmentFile, []byte(to+"\n"))
		}
	}
	env := environmentOf(pl.next, chosen)
	if chosen == "" && env != nil && !pl.hasFile(model.KindProject) && pl.Layout == Native {
		// Who makes a project works in its first environment from then on.
		return env, pl.writeState(environmentFile, []byte(env.Name+"\n"))
	}
	return env, nil
}

// PlanUse plans to choose an environment on this machine, and to make the client
// configuration file that of it.
func (p *Project) PlanUse(name string) (*Plan, error) {
	env := p.Backend.Environment(name)
	if env == nil {
		return nil, p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	if err := pl.writeState(environmentFile, []byte(name+"\n")); err != nil {
		return nil, err
	}
	if p.Layout == Native {
		deployed, err := p.deployedOutputs(name)
		if err != nil {
			return nil, err
		}
		content, err := p.Backend.ClientFile(env, deployed)
		if err != nil {
			return nil, err
		}
		if err := pl.clientFileOf(name, content.Values, p.lastRendering()); err != nil {
			return nil, err
		}
	}
	pl.plan.stateMatters = true
	return pl.finish()
}

// PlanClientFile plans the client configuration file alone: that of an
// environment, with these values in neutral words.
func (p *Project) PlanClientFile(env string, values model.Outputs) (*Plan, error) {
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	if err := pl.clientFileOf(env, values, p.lastRendering()); err != nil {
		return nil, err
	}
	pl.plan.stateMatters = true
	return pl.finish()
}

// PlanClientFileOf plans the client configuration file alone, as the project has it for
// an environment ("" is none) with what a deployment of that knows.
func (p *Project) PlanClientFileOf(env string, deployed model.Outputs) (*Plan, model.ClientFileContent, error) {
	content, err := p.Backend.ClientFile(p.Backend.Environment(env), deployed)
	if err != nil {
		return nil, content, err
	}
	plan, err := p.PlanClientFile(env, content.Values)
	return plan, content, err
}

// ClientFile is the client configuration file as it is. The error is fs.ErrNotExist
// where there is none, else a *Problem.
func (p *Project) ClientFile() ([]byte, error) { return readFile(p.fsys, clientFile(p.Backend)) }

// ClientFileEnvironment is the environment that the client configuration file is
// of; "" where there is no saying.
func (p *Project) ClientFileEnvironment() string { return p.lastRendering().Environment }
