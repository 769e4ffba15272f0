// Package aws deploys environments to an account of AWS: it finds what a push would change, carries
// it out and follows it, takes over what is there, removes what was deployed, and compares what runs
// with the definition. Reach finds what runs of an environment.
//
// A push has five phases. Each is a value that is made from the one before, and has a file:
//
//   - looked: the account, the stack and what it has; what is stuck is fixed, after asking.
//   - difference: what differs, the template with its archives, what is taken over from the account.
//   - Push, in prepared.go: all is uploaded, and a change set made; a person sees the changes and
//     losses, and agrees.
//   - running: the updates are made one after the other, and followed; a failure takes them back.
//   - told: code and stack are brought together, and this machine keeps what is deployed.
//
// Prepare makes the first three and Apply the others, for the command and the screen alike. The cloud alone has what
// a push has done, so that one that is killed in any phase is finished by the next push.
package aws

import (
	"context"

	"gatewright/deploy/account"
	"gatewright/deploy/assets"
	"gatewright/deploy/index"
	"gatewright/deploy/refuse"
	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/project"
)

// Provider deploys to an account of AWS, with CloudFormation. An environment is a stack, and the
// stack has the definition as it was deployed, so that any machine can read it.
type Provider struct {
	// MFA asks a person for the code of a device; nil where nobody can be asked.
	MFA func(ctx context.Context, serial string) (string, error)
	// Cache is a folder for archives and packages; "" is the user's.
	Cache string
	// Profile is the profile to use, if the project keeps none for the environment, and
	// Region the region, if the environment has none.
	Profile, Region string
	// Getenv looks up the variables of AWS and of this program; nil takes those of the process.
	Getenv func(name string) string
	// Pace and Retry are for tests; the zero values are for people.
	Pace  stack.Pace
	Retry account.Retry
}

// Options returns how the account of an environment is opened.
func (a Provider) Options(p *project.Project, env *model.Environment) account.Options {
	o := a.anyAccount()
	o.Environment, o.Region, o.Want = env.Name, p.Backend.Region(env), env.Account
	if own := p.Profile(env.Name); own != "" {
		o.Profile = own
	}
	return o
}

// anyAccount returns how the account is opened that the credentials are of.
func (a Provider) anyAccount() account.Options {
	return account.Options{Region: a.Region, Profile: a.Profile, MFA: a.MFA, Retry: a.Retry, Getenv: a.Getenv}
}

// open opens an account. Another one than the wanted is refused before anything else.
func (a Provider) open(ctx context.Context, o account.Options) (*session, error) {
	opened, err := account.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	explain := func(err error) error { return account.Explain(err, o) }
	return &session{
		Account: opened, provider: a,
		client: &stack.Client{API: opened.CloudFormation(), Pace: a.Pace, Explain: explain},
		bucket: &assets.Bucket{
			Client: opened.S3(), Account: opened.ID, Region: opened.Region, Partition: opened.Partition,
			Explain: explain,
		},
	}, nil
}

// at opens the account of an environment of a project that has an application.
func (a Provider) at(ctx context.Context, p *project.Project, env *model.Environment) (Place, error) {
	if err := refuse.WithoutApplication(p); err != nil {
		return Place{}, err
	}
	c, err := a.open(ctx, a.Options(p, env))
	if err != nil {
		return Place{}, err
	}
	return c.at(p, env), nil
}

// Record returns the record of the deployment of a stack of this program. The error matches
// index.ErrNoStack or ErrForeignStack.
func (a Provider) Record(ctx context.Context, name string) (project.Record, error) {
	if err := index.ValidStack(name); err != nil {
		return project.Record{}, err
	}
	c, err := a.open(ctx, a.anyAccount())
	if err != nil {
		return project.Record{}, err
	}
	s, err := c.describe(ctx, name)
	if err != nil {
		return project.Record{}, err
	}
	d, _, err := c.deployment(ctx, s)
	if err != nil {
		return project.Record{}, err
	}
	return d.Record, nil
}
