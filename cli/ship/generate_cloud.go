package ship

import (
	"context"
	"errors"
	"fmt"

	"gatewright/cli/cloud"
	"gatewright/deploy/aws"
	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// deploymentSource finds a deployment: that of an environment here which AWS has is read there,
// any other on this machine, else in AWS.
func (g *outputsCommand) deploymentSource(
	ctx context.Context, here *project.Project, request index.Request,
) (*outputsSource, error) {
	provider := cloud.Provider(g.streams)
	provider.Region, provider.Profile = g.region, g.profile
	if env := environmentInCloud(here, request); env != nil {
		state, err := provider.Refresh(ctx, here, env)
		switch {
		case err != nil:
			return nil, err
		case state.Deployment == nil && state.Note != "":
			return nil, errors.New(state.Note)
		case state.Deployment == nil:
			return nil, fmt.Errorf("environment %s %w; deploy it with: gatewright push --env %s", phrase.Quote(env.Name),
				project.ErrNeverDeployed, model.ShellWord(env.Name))
		case state.Stack.Status.Busy():
			return nil, errors.New(state.Note)
		}
		return recordSource(state.Deployment.Record, here, g.form), nil
	}
	elsewhere := g.region != "" || g.profile != ""
	var local error
	if !elsewhere {
		record, err := index.Find(ctx, request)
		if err == nil {
			return recordSource(record, here, g.form), nil
		}
		named := request.Stack != "" || request.ApplicationID != "" && request.Branch != ""
		if !errors.Is(err, index.ErrNoStack) || !named {
			return nil, asked(err)
		}
		local = err
	}
	found, err := provider.Outputs(ctx, request)
	switch {
	case err != nil && local != nil && errors.Is(err, aws.ErrNoCredentials):
		return nil, asked(local)
	case err != nil:
		return nil, asked(err)
	}
	s := recordSource(*found.Record, here, g.form)
	s.notes = append(s.notes, found.Notes...)
	return s, nil
}

// environmentInCloud is the environment of the project here that a request means, if AWS has
// it.
func environmentInCloud(here *project.Project, r index.Request) *model.Environment {
	if here == nil || here.Foreign() {
		return nil
	}
	own := here.Backend.Project.ApplicationID
	for _, env := range here.Backend.Environments {
		if env.Provider != model.AWS {
			continue
		}
		switch {
		case r.Stack != "":
			if r.Stack == index.StackOf(here.Backend, env) {
				return env
			}
		case r.Environment != "":
			if r.Environment == env.Name {
				return env
			}
		case r.Branch == env.BranchName() && own != "" && (r.ApplicationID == "" || r.ApplicationID == own):
			return env
		}
	}
	if r.Stack == "" && r.Environment == "" && r.Branch == "" && r.ApplicationID == "" {
		if env := here.CurrentEnvironment(); env != nil && env.Provider == model.AWS {
			return env
		}
	}
	return nil
}
