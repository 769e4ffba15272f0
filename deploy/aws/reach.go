package aws

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/account"
	"gatewright/deploy/stack"
	"gatewright/internal/clock"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// ErrNotDeployed is the cause of the error about a part of the backend that the last push of an
// environment did not have.
var ErrNotDeployed = errors.New("it is not deployed")

// Reached is what runs of an environment in its account, found for what reads, calls or changes it there.
type Reached struct {
	*account.Account
	// Deployment is what was pushed, with the definition as it was then, and Stack the stack that has it.
	Deployment *project.Deployment
	Stack      *stack.Stack

	words
	resources []stack.Resource
	place     Place
	// definition is what the stack keeps of the push, with the hashes of the sources.
	definition template.Definition
}

// Reach opens the account of an environment and finds what runs there of it. The error matches
// project.ErrNeverDeployed if nothing does. Nothing is written.
func (a Provider) Reach(ctx context.Context, p *project.Project, env *model.Environment) (*Reached, error) {
	at, err := a.at(ctx, p, env)
	if err != nil {
		return nil, err
	}
	return at.reach(ctx)
}

// reach is Reach in an account that is open.
func (p Place) reach(ctx context.Context) (*Reached, error) {
	state, err := p.look(ctx)
	if err != nil {
		return nil, err
	}
	if state.Deployment == nil {
		return nil, p.neverPushed()
	}
	return p.reached(ctx, state)
}

// RefreshReached is Refresh, and reaches what it finds. The deployment is nil if there is none.
func (a Provider) RefreshReached(
	ctx context.Context, p *project.Project, env *model.Environment,
) (State, *Reached, error) {
	at, err := a.at(ctx, p, env)
	if err != nil {
		return State{}, nil, err
	}
	state, err := at.refresh(ctx)
	if err != nil || state.Deployment == nil {
		return state, nil, err
	}
	r, err := at.reached(ctx, state)
	return state, r, err
}

// reached finds what runs of a deployment.
func (p Place) reached(ctx context.Context, state State) (*Reached, error) {
	r := &Reached{
		Account: p.cloud.Account, Deployment: state.Deployment, Stack: state.Stack, place: p,
		definition: state.definition,
	}
	then := state.Deployment.Project.Backend
	made, err := template.Render(then, then.Environment(state.Deployment.Environment), template.Options{})
	if err != nil {
		return nil, fmt.Errorf("reading the deployment: %w", err)
	}
	r.words = wordsOf(made)
	r.resources, err = p.cloud.client.Resources(ctx, state.Stack.ARN)
	return r, err
}

// neverPushed is the error about an environment that is not deployed.
func (p Place) neverPushed() error {
	return fmt.Errorf("environment %s %w; push it with: gatewright push --env %s", phrase.Quote(p.Environment.Name),
		project.ErrNeverDeployed, model.ShellWord(p.Environment.Name))
}

// Backend is the definition as it was pushed, without what its environment does not have.
func (r *Reached) Backend() *model.Backend {
	b := r.Deployment.Project.Backend
	return b.For(b.Environment(r.Deployment.Environment))
}

// Function returns the name of a deployed function, by its resource name. The error says that
// the last push did not have it.
func (r *Reached) Function(name string) (string, error) {
	return r.physical(functionType, model.Ref{Kind: model.KindFunction, Name: name})
}

// Table returns the name of a deployed table, by the name of its definition.
func (r *Reached) Table(name string) (string, error) {
	return r.physical(tableType, model.Ref{Kind: model.KindTable, Name: name})
}

// API returns the id of a deployed API, by its label.
func (r *Reached) API(label string) (string, error) {
	if id := r.Stack.Outputs[template.EndpointOf(label).ID]; id != "" {
		return id, nil
	}
	return "", r.lacks(model.Ref{Kind: model.KindAPI, Name: label})
}

// Pools returns the ids of the user pool, of its client and of the identity pool: those of the stack, or those that
// the definition gives, which may be in another region (OfPool); "" for what the environment does not have.
func (r *Reached) Pools() (userPool, client, identityPool string) {
	out, given := r.Stack.Outputs, new(model.Auth)
	if auth := r.Backend().Auth; auth != nil {
		given = auth
	}
	return cmp.Or(out[template.UserPoolOutput], given.UserPoolID),
		cmp.Or(out[template.UserPoolClientOutput], given.UserPoolClientID),
		cmp.Or(out[template.IdentityPoolOutput], given.IdentityPoolID)
}

// physical finds the id that AWS has for a part of the backend.
func (r *Reached) physical(kind string, of model.Ref) (string, error) {
	for _, one := range r.resources {
		if one.Type == kind && r.of[one.Logical] == of && one.Physical != "" && one.Status != string(stack.DeleteComplete) {
			return one.Physical, nil
		}
	}
	return "", r.lacks(of)
}

// lacks is the error about a part of the backend that is not deployed.
func (r *Reached) lacks(of model.Ref) error {
	d := r.Deployment
	return &model.Problem{
		Of: of, Text: "is not in environment " + phrase.Quote(d.Environment) + " as it was pushed, " +
			clock.Moment(d.Record.Deployed),
		Fix: "push it with: gatewright push --env " + model.ShellWord(d.Environment), Cause: ErrNotDeployed,
	}
}

// LogGroup returns the name of the log group of a deployed function, by its resource name. The
// error says that the last push did not have it.
func (r *Reached) LogGroup(function string) (string, error) {
	name, err := r.Function(function)
	if err != nil {
		return "", err
	}
	if group, err := r.physical(logGroupType, model.Ref{Kind: model.KindFunction, Name: function}); err == nil {
		return group, nil
	}
	// Without one of its own, a function logs there
	// (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html).
	return "/aws/lambda/" + name, nil
}
