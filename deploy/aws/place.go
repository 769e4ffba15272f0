package aws

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// Place is an environment in its account: where a push goes, and as whom.
type Place struct {
	// Environment is the environment as it will be, with its account.
	Environment *model.Environment
	// Account, Who, Region and Stack say where it is, and who asks.
	Account, Who, Region, Stack string

	cloud   *session
	project *project.Project
}

// at returns the place of an environment in an account that is open.
func (c *session) at(p *project.Project, env *model.Environment) Place {
	return Place{
		Environment: env, Account: c.ID, Who: c.Who(), Region: c.Region, Stack: index.StackOf(p.Backend, env),
		cloud: c, project: p,
	}
}

// Target returns where a push goes, for a question.
func (p Place) Target() string {
	return "environment " + phrase.Quote(p.Environment.Name) + " in the account " + p.Account + ", " + p.Region
}

func (p Place) of() model.Ref {
	return model.Ref{Kind: model.KindEnvironment, Name: p.Environment.Name}
}

// Cancel cancels the update that goes on: the stack goes back to what it was. A first push has
// nothing to go back to, so that its stack is removed.
func (p Place) Cancel(ctx context.Context) error {
	s, err := p.cloud.client.Describe(ctx, p.Stack)
	switch {
	case err != nil:
		return err
	case s.Status.Cancellable():
		return p.cloud.client.Cancel(ctx, s.ARN, token(1, 1, randomText(), p.Who))
	case s.Status.Creating():
		return p.cloud.client.Delete(ctx, s.ARN, "")
	}
	return &model.Problem{
		Of: p.of(), Text: "cannot be cancelled now: its stack " + s.Status.Words(),
		Fix: "wait until it ends",
	}
}

// input is the change set of a template in the bucket.
func (p Place) input(key, token string) stack.Input {
	return stack.Input{
		Stack: p.Stack, TemplateURL: p.cloud.bucket.URL(key), Tags: p.tags(),
		Token: token, Description: "gatewright push by " + p.Who,
	}
}

// keeping is the change set of a template on the way, whose parameters all stay as the stack has them.
func (p Place) keeping(key, token string, s *stack.Stack) stack.Input {
	in := p.input(key, token)
	in.Kept = slices.Sorted(maps.Keys(s.Parameters))
	return in
}

// follow follows an operation and tells its progress in words.
func (p Place) follow(
	ctx context.Context, f *stack.Follower, w words, tell func(contract.Progress),
) (*stack.Stack, error) {
	goingBack := false
	return f.Wait(ctx, func(e stack.Event) {
		if r := w.progress(e); r != nil {
			tell(contract.Progress{Resource: r})
			return
		}
		if !e.Nested && e.Status.RollingBack() && !goingBack {
			goingBack = true
			tell(contract.Progress{Text: "something failed; everything is being rolled back"})
		}
	}, func(err error) {
		tell(contract.Progress{Text: "AWS does not respond; trying again (" + err.Error() + ")"})
	})
}

// ErrDetached is the error of a push that is no longer followed. It goes on in the cloud.
var ErrDetached = errors.New("the push continues in AWS")

// interrupted says of an error of following that the update goes on.
func (p Place) interrupted(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w; follow it with: %s", ErrDetached, p.watching())
	case errors.Is(err, stack.ErrLost), errors.Is(err, account.ErrCredentials):
		return fmt.Errorf("%w, but this command can no longer follow it: %w; follow it with: %s", ErrDetached, err,
			p.watching())
	}
	return err
}

func (p Place) watching() string {
	return "gatewright push --watch --env " + model.ShellWord(p.Environment.Name)
}
