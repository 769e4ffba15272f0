// Package cloudcall sends requests to the APIs of an environment in AWS as the clients of its
// users do: unsigned, or signed as a guest, as a user who signs in, or with a person's own
// credentials. It also has the console's test of API Gateway done there.
package cloudcall

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"gatewright/deploy/account"
	"gatewright/deploy/aws"
	"gatewright/deploy/signin"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/sandbox/call"
)

// Environment is an environment in AWS as this machine last saw it: what was pushed, and where
// that is. It does not change, and reads no files.
type Environment struct {
	Name string
	// Deployment is what was pushed.
	Deployment *project.Deployment
	// Backend is its definition, without what the environment does not have.
	Backend *model.Backend

	options account.Options
	pools   signin.Pools
}

// Known returns an environment from this machine's copy of what was last pushed. Nobody is asked.
// The error matches project.ErrNeverDeployed if there is none.
func Known(provider aws.Provider, p *project.Project, env *model.Environment) (*Environment, error) {
	d, err := p.Deployed(env.Name)
	if err != nil {
		return nil, err
	}
	then := d.Project.Backend.Environment(env.Name)
	if d.Provider != model.AWS || then == nil {
		// What this machine has of it is from before it was moved to AWS.
		return nil, fmt.Errorf("environment %s %w", phrase.Quote(env.Name), project.ErrNeverDeployed)
	}
	options := provider.Options(p, env)
	options.Region, options.Want = d.Region, d.Account
	auth := section(d.Values, "auth")
	return &Environment{
		Name: env.Name, Deployment: d, Backend: d.Project.Backend.For(then), options: options,
		pools: signin.Pools{
			Environment: env.Name, UserPool: text(auth, "user_pool_id"), Client: text(auth, "user_pool_client_id"),
			Identities: text(auth, "identity_pool_id"),
		},
	}, nil
}

// Find returns an environment as Known does, or asks AWS if this machine has no copy, and keeps
// one. That takes credentials; without any, the error says what to do.
func Find(
	ctx context.Context, provider aws.Provider, p *project.Project, env *model.Environment,
) (*Environment, error) {
	e, err := Known(provider, p, env)
	if !errors.Is(err, project.ErrNeverDeployed) {
		return e, err
	}
	_, err = provider.Refresh(ctx, p, env)
	switch {
	case errors.Is(err, account.ErrCredentials):
		return nil, &model.Problem{
			Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
			Text: "this machine does not know what is deployed there, and has no credentials to ask AWS",
			Fix:  LearnFix(env.Name), Cause: err,
		}
	case err != nil:
		return nil, err
	}
	e, err = Known(provider, p, env)
	if errors.Is(err, project.ErrNeverDeployed) {
		err = fmt.Errorf("%w; push it with: gatewright push --env %s", err, model.ShellWord(env.Name))
	}
	return e, err
}

// LearnFix says how this machine learns what is deployed of an environment.
func LearnFix(env string) string {
	return "run once with credentials: gatewright status --env " + model.ShellWord(env)
}

// address returns where the requests to an API go. Only the address that API Gateway gives an API
// is one: a changed copy must not lead what signs requests elsewhere.
func (e *Environment) address(a *account.Account, label string) (call.Address, error) {
	api, err := e.api(label)
	if err != nil {
		return call.Address{}, err
	}
	u, err := url.Parse(api.URL)
	if want := api.ID + ".execute-api." + a.Region + "." + a.Suffix(); err != nil || u.Scheme != "https" ||
		u.Host != want || u.User != nil || api.ID == "" {
		return call.Address{}, &model.Problem{
			Of:   model.Ref{Kind: model.KindAPI, Name: label},
			Text: "the address " + phrase.Quote(api.URL) + " is not one of API Gateway", Fix: LearnFix(e.Name),
		}
	}
	endpoint, host := a.Stage(strings.TrimSuffix(api.URL, "/"))
	return call.Address{Endpoint: endpoint, Host: host, Region: a.Region, Transport: a.Transport()}, nil
}

// api returns an API as it was pushed.
func (e *Environment) api(label string) (project.Endpoint, error) {
	for _, api := range e.Deployment.APIs {
		if api.API == label && e.Backend.API(label) != nil {
			return api, nil
		}
	}
	return project.Endpoint{}, &model.Problem{
		Of:   model.Ref{Kind: model.KindAPI, Name: label},
		Text: "is not in environment " + phrase.Quote(e.Name) + " as it was pushed",
		Fix:  "push it with: gatewright push --env " + model.ShellWord(e.Name),
	}
}

// HasPools reports whether there are pools, which know guests and users.
func (e *Environment) HasPools() bool { return e.pools.UserPool != "" && e.pools.Identities != "" }

// URL returns the address of an API for people; "" if it is not deployed.
func (e *Environment) URL(label string) string {
	api, _ := e.api(label)
	return api.URL
}

func section(values model.Outputs, name string) map[string]any {
	of, _ := values[name].(map[string]any)
	return of
}

func text(of map[string]any, name string) string {
	value, _ := of[name].(string)
	return value
}
