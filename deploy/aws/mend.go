package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

// findStack finds the environment's stack. One that is stuck is mended, after asking; one that
// somebody else changes is left alone.
func (x *Push) findStack(ctx context.Context, options PushOptions, tell func(contract.Progress)) error {
	for range 3 {
		s, err := x.cloud.ownStack(ctx, x.project.Backend, x.Environment)
		if err != nil {
			return err
		}
		x.before = s
		if s != nil && s.Status == stack.ImportRolledBack && isHalf(s) {
			has, err := x.cloud.client.Resources(ctx, s.ARN)
			if err != nil {
				return err
			}
			if len(has) == 0 {
				s.Status = stack.RollbackComplete // a stack with nothing in it is made anew
			}
		}
		switch {
		case s == nil || s.Status == stack.Review:
			x.first = true
			return nil
		case s.Status.Settled():
			x.half = isHalf(s)
			return nil
		case options.DryRun && !s.Status.Unmade(), s.Status.Busy():
			return x.cloud.busy(ctx, x.Environment, s)
		case options.DryRun:
			x.first = true
			x.Notes = append(x.Notes, x.cloud.noteOf(ctx, x.Environment, s))
			return nil
		}
		if err := x.mend(ctx, s, options, tell); err != nil {
			return err
		}
	}
	return fmt.Errorf("the stack %s does not come to rest; look at it in the console of CloudFormation", x.Stack)
}

// ErrStackBusy is the cause of the error of a push while another operation of the stack goes
// on.
var ErrStackBusy = errors.New("another operation of the stack goes on")

func (c *session) busy(ctx context.Context, env *model.Environment, s *stack.Stack) error {
	return &model.Problem{
		Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name}, Text: c.noteOf(ctx, env, s),
		Cause: ErrStackBusy,
	}
}

var errUnremoved = errors.New("the stack could not be removed")

// mend brings a stuck stack into a state in which it can be updated.
func (x *Push) mend(ctx context.Context, s *stack.Stack, options PushOptions, tell func(contract.Progress)) error {
	of := model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name}
	// The push has its own token: one that is used again begins nothing.
	token := token(1, 1, x.random+"m", x.Who)
	x.words = wordsOf(x.cloud.render(x.project.Backend, x.Environment), x.cloud.deployedTemplate(ctx, s))
	after, err := x.cloud.client.LastEvent(ctx, s.ARN)
	if err != nil {
		return err
	}
	switch {
	case s.Status.Unmade():
		// Nothing in it ever worked, so there is nothing to lose and nothing to ask.
		tell(contract.Progress{Text: "the first push of " + phrase.Quote(x.Environment.Name) +
			" failed; what is left of it is removed"})
		if s.Protected {
			if err := x.cloud.client.Protect(ctx, s.ARN, false); err != nil {
				return err
			}
		}
		if err := x.cloud.client.Delete(ctx, s.ARN, token); err != nil {
			return err
		}
		ended, err := x.follow(ctx, x.cloud.client.Follow(s.ARN, after), tell)
		if err == nil && ended.Status != stack.DeleteComplete {
			err = &model.Problem{
				Of: of, Text: "its stack " + s.Name + " " + ended.Status.Words() + ": " + shortly(ended.Reason),
				Fix: "remove it in the console of CloudFormation, and push again",
			}
		}
		return err
	case s.Status == stack.UpdateRollbackFailed:
		if err := allow(options, "the stack "+s.Name+" could not go back to what it was after a push failed ("+
			shortly(s.Reason)+"); try again to let it go back, before this push"); err != nil {
			return err
		}
		if err := x.cloud.client.ContinueRollback(ctx, s.ARN, token); err != nil {
			return err
		}
		follower := x.cloud.client.Follow(s.ARN, after)
		ended, err := x.follow(ctx, follower, tell)
		if err == nil && !ended.Status.Settled() {
			why := shortly(ended.Reason)
			if len(follower.Failures) > 0 {
				first := follower.Failures[0]
				why = x.words.name(first.Logical, first.Type) + ": " + shortly(first.Reason)
			}
			err = &model.Problem{
				Of: of, Text: "its stack " + s.Name + " still cannot go back to what it was: " + why,
				Fix: "correct that in AWS, and push again; or skip the resource with: aws cloudformation " +
					"continue-update-rollback --resources-to-skip",
			}
		}
		return err
	}
	if s.Status == stack.DeleteFailed {
		return &model.Problem{Of: of, Text: x.cloud.noteOf(ctx, x.Environment, s), Cause: errUnremoved}
	}
	return &model.Problem{
		Of: of, Text: "its stack " + s.Name + " has the state " + phrase.Quote(string(s.Status)) + ": " + shortly(s.Reason),
		Fix: "bring it to rest in the console of CloudFormation, and push again",
	}
}
