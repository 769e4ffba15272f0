package aws

import (
	"context"
	"errors"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
)

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
func (l *looked) mend(ctx context.Context, s *stack.Stack, options PushOptions, tell func(contract.Progress)) error {
	of, client := l.of(), l.cloud.client
	// The push has its own token: one that is used again begins nothing.
	token := token(1, 1, l.random+"m", l.Who)
	w := wordsOf(rendered(l.project.Backend, l.Environment), l.cloud.templateNames(ctx, s))
	after, err := client.LastEvent(ctx, s.ARN)
	if err != nil {
		return err
	}
	switch {
	case s.Status.Unmade():
		// Nothing in it ever worked, so there is nothing to lose and nothing to ask.
		tell(contract.Progress{Text: "the first push of " + phrase.Quote(l.Environment.Name) +
			" failed; what is left of it is removed"})
		if s.Protected {
			if err := client.Protect(ctx, s.ARN, false); err != nil {
				return err
			}
		}
		if err := client.Delete(ctx, s.ARN, token); err != nil {
			return err
		}
		ended, err := l.follow(ctx, client.Follow(s.ARN, after), w, tell)
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
		if err := client.ContinueRollback(ctx, s.ARN, token); err != nil {
			return err
		}
		follower := client.Follow(s.ARN, after)
		ended, err := l.follow(ctx, follower, w, tell)
		if err == nil && !ended.Status.Settled() {
			why := shortly(ended.Reason)
			if len(follower.Failures) > 0 {
				first := follower.Failures[0]
				why = w.name(first.Logical, first.Type) + ": " + shortly(first.Reason)
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
		return &model.Problem{Of: of, Text: l.cloud.noteOf(ctx, l.Environment, s), Cause: errUnremoved}
	}
	return &model.Problem{
		Of: of, Text: "its stack " + s.Name + " has the state " + phrase.Quote(string(s.Status)) + ": " + shortly(s.Reason),
		Fix: "bring it to rest in the console of CloudFormation, and push again",
	}
}
