package project

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/afero"

	"gatewright/model"
	"gatewright/project/journal"
	"gatewright/project/read"
)

// environmentFile has the name of the environment chosen on this machine.
var environmentFile = journal.State[1]

// CurrentEnvironment returns the environment chosen on this machine, else the only one
// of the project; nil if none is chosen and there are several.
func (p *Project) CurrentEnvironment() *model.Environment {
	return environmentOf(p.Backend, p.chosen())
}

// ErrNoEnvironments is the error of [Project.Environment] if the project has none.
var ErrNoEnvironments = errors.New("the project has no environment; make one with: gatewright add env NAME")

// ErrNotChosen is its error if there are several and none is chosen.
var ErrNotChosen = errors.New("no environment is chosen")

// Environment finds the named environment; for "" it is the current one. The error
// names the nearest known name, or is ErrNoEnvironments or ErrNotChosen.
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
	if err == nil {
		return strings.TrimSpace(string(name))
	}
	if p.Layout == Amplify {
		return p.amplifyChosen()
	}
	return ""
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

// environment is CurrentEnvironment of the planned backend. A chosen environment
// that is renamed stays chosen.
func (pl *planner) environment() (*model.Environment, error) {
	chosen := pl.chosen()
	for to, from := range pl.renames[model.KindEnvironment] {
		if from == chosen {
			return pl.next.Environment(to), pl.writeState(environmentFile, []byte(to+"\n"))
		}
	}
	env := environmentOf(pl.next, chosen)
	if chosen == "" && len(pl.next.Environments) > 0 && !pl.hasFile(model.KindProject) && pl.Layout == Native {
		// The first environment of a new project is chosen.
		env = cmp.Or(pl.next.Environment(model.FirstEnvironment), pl.next.Environments[0])
		return env, pl.writeState(environmentFile, []byte(env.Name+"\n"))
	}
	return env, nil
}

// PlanUse plans to choose an environment on this machine, and to write its client
// configuration file.
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
		last := p.lastRendering()
		now, err := pl.renderingOf(env, deployed, last)
		if err != nil {
			return nil, err
		}
		if err := pl.clientFileOf(now, last); err != nil {
			return nil, err
		}
	}
	pl.plan.stateMatters = true
	return pl.finish()
}

// PlanClientFile plans only the client configuration file, of an environment and
// with these values in the neutral dialect.
func (p *Project) PlanClientFile(env string, values model.Outputs) (*Plan, error) {
	return p.planRendering(rendering{Environment: env, Values: values})
}

// PlanClientFileOfRecord plans only the client configuration file, as a push or a running
// sandbox wrote it down.
func (p *Project) PlanClientFileOfRecord(r Record) (*Plan, error) {
	return p.planRendering(rendering{Environment: r.Environment, Values: r.Values, Outputs: r.Outputs})
}

func (p *Project) planRendering(now rendering) (*Plan, error) {
	pl, err := p.planner(p.Backend)
	if err != nil {
		return nil, err
	}
	now.Dialect = p.Backend.Project.Dialect
	if deployed, err := p.deployedOutputs(now.Environment); err != nil || deployed != nil {
		now.Outputs = nil // the record of the push has them
	}
	if err := pl.clientFileOf(now, p.lastRendering()); err != nil {
		return nil, err
	}
	pl.plan.stateMatters = true
	return pl.finish()
}

// PlanClientFileOf plans only the client configuration file, from the definitions
// for an environment ("" for no environment) and the outputs of its deployment.
func (p *Project) PlanClientFileOf(env string, deployed model.Outputs) (*Plan, model.ClientFileContent, error) {
	content, err := p.Backend.ClientFile(p.Backend.Environment(env), deployed)
	if err != nil {
		return nil, content, err
	}
	plan, err := p.PlanClientFile(env, content.Values)
	return plan, content, err
}

// ClientFile reads the client configuration file. The error is fs.ErrNotExist if
// there is none, else a *Problem.
func (p *Project) ClientFile() ([]byte, error) { return read.Bytes(p.fsys, clientFile(p.Backend)) }

// ClientFileEnvironment names the environment that the client configuration file
// was written for; "" if that is unknown.
func (p *Project) ClientFileEnvironment() string { return p.lastRendering().Environment }
