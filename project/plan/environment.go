package plan

import (
	"cmp"
	"maps"

	"gatewright/model"
	"gatewright/model/clientfile"
	"gatewright/project"
)

// environment is CurrentEnvironment of the planned backend. A chosen environment that is renamed stays chosen.
func (pl *planner) environment() (*model.Environment, error) {
	chosen := pl.Chosen()
	for to, from := range pl.renames[model.KindEnvironment] {
		if from == chosen {
			return pl.next.Environment(to), pl.writeState(project.EnvironmentFile, []byte(to+"\n"))
		}
	}
	env := project.EnvironmentOf(pl.next, chosen)
	if chosen == "" && len(pl.next.Environments) > 0 && !pl.hasFile(model.KindProject) && !pl.Foreign() {
		// The first environment of a new project is chosen.
		env = cmp.Or(pl.next.Environment(model.FirstEnvironment), pl.next.Environments[0])
		return env, pl.writeState(project.EnvironmentFile, []byte(env.Name+"\n"))
	}
	return env, nil
}

// Use plans to choose an environment on this machine, and to write its client configuration file.
func Use(p *project.Project, name string) (*Plan, error) {
	env := p.Backend.Environment(name)
	if env == nil {
		return nil, p.Backend.Known(model.Ref{Kind: model.KindEnvironment, Name: name})
	}
	pl, err := newPlanner(p, p.Backend)
	if err != nil {
		return nil, err
	}
	if err := pl.writeState(project.EnvironmentFile, []byte(name+"\n")); err != nil {
		return nil, err
	}
	if !p.Foreign() {
		deployed, err := p.DeployedOutputs(name)
		if err != nil {
			return nil, err
		}
		last := p.LastRendering()
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

// ClientFile plans only the client configuration file, of an environment and
// with these values in the neutral dialect.
func ClientFile(p *project.Project, env string, values model.Outputs) (*Plan, error) {
	return planRendering(p, project.Rendering{Environment: env, Values: values})
}

// ClientFileOfRecord plans only the client configuration file, as a push or a running sandbox wrote it down.
func ClientFileOfRecord(p *project.Project, r project.Record) (*Plan, error) {
	return planRendering(p, project.Rendering{Environment: r.Environment, Values: r.Values, Outputs: r.Outputs})
}

func planRendering(p *project.Project, now project.Rendering) (*Plan, error) {
	pl, err := newPlanner(p, p.Backend)
	if err != nil {
		return nil, err
	}
	now.Dialect = p.Backend.Project.Dialect
	if deployed, err := p.DeployedOutputs(now.Environment); err != nil || deployed != nil {
		now.Outputs = nil // the record of the push has them
	}
	if err := pl.clientFileOf(now, p.LastRendering()); err != nil {
		return nil, err
	}
	pl.plan.stateMatters = true
	return pl.finish()
}

// ClientFileOf plans only the client configuration file, from the definitions
// for an environment ("" for no environment) and the outputs of its deployment.
func ClientFileOf(p *project.Project, env string, deployed model.Outputs) (*Plan, clientfile.Content, error) {
	content, err := clientfile.Of(p.Backend, p.Backend.Environment(env), deployed)
	if err != nil {
		return nil, content, err
	}
	plan, err := ClientFile(p, env, content.Values)
	return plan, content, err
}

// keepProfiles plans that a renamed environment keeps its profile, and that a removed one has none.
func (pl *planner) keepProfiles() error {
	profiles, old, err := pl.Profiles()
	if err != nil || len(profiles) == 0 {
		// A file that cannot be read stops no edit.
		return nil
	}
	kept := make(map[string]string, len(profiles))
	for _, env := range pl.next.Environments {
		if profile := profiles[pl.oldName(model.KindEnvironment, env.Name)]; profile != "" {
			kept[env.Name] = profile
		}
	}
	if maps.Equal(kept, profiles) {
		return nil
	}
	change, err := project.ProfilesChange(kept, old)
	if err == nil {
		pl.plan.state = append(pl.plan.state, change)
	}
	return err
}
