package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
	"gatewright/render/template"
)

// looked is the first phase of a push: what is there before it.
type looked struct {
	Place
	// asRead is the project without the account, if that is new; nil otherwise.
	asRead *project.Project
	// random tells this push from all others.
	random string
	// before is the stack; nil if there is none. seen is its last event before it was read.
	before *stack.Stack
	seen   string
	// first says that the stack has nothing that stays, half that it has nothing but what an earlier push took over.
	first, half bool
	// deployment is what the stack has; nil if nothing was pushed. old are its templates.
	deployment *project.Deployment
	old        template.Deployed
	// Notes are remarks for people: what is refused in AWS, what is interrupted. Later phases add theirs.
	Notes []string
}

func (l *looked) note(text string) { l.Notes = append(l.Notes, text) }

// First reports whether the environment is pushed for the first time.
func (l *looked) First() bool { return l.first || l.half }

// look opens the account of an environment and reads what its stack has.
func (a Provider) look(
	ctx context.Context, target contract.Target, options PushOptions, tell func(contract.Progress),
) (*looked, error) {
	l := new(looked)
	if err := l.openAccount(ctx, a, target, options); err != nil {
		return nil, err
	}
	if err := l.findStack(ctx, options, tell); err != nil || l.first {
		return l, err
	}
	var err error
	if l.seen, err = l.cloud.client.LastEvent(ctx, l.before.ARN); err != nil {
		return nil, err
	}
	if !l.half {
		if l.deployment, _, err = l.cloud.deployment(ctx, l.before); err != nil {
			return nil, err
		}
	}
	l.old, err = l.cloud.templates(ctx, l.before)
	return l, err
}

// openAccount opens the account of the environment. If it has none yet, the one that answers
// becomes its own, after asking.
func (l *looked) openAccount(ctx context.Context, a Provider, target contract.Target, options PushOptions) error {
	p, env := target.Project, target.Environment
	opened, err := a.open(ctx, a.Options(p, env))
	if err != nil {
		return err
	}
	l.Place = opened.at(p, env)
	l.random = randomText() + l.mark()
	if env.Account != "" {
		return nil
	}
	if !options.DryRun {
		question := fmt.Sprintf("environment %s has no account yet; does it belong to the account %s, %s, where you are %s",
			phrase.Quote(env.Name), l.Account, l.Region, l.Who)
		if err := allow(options, question); err != nil {
			return err
		}
	}
	next := *env
	next.Account = l.Account
	backend, err := p.Backend.Edit(func(b *model.Backend) error { return edit.UpdateEnvironment(b, &next) })
	if err != nil {
		return err
	}
	with := *p
	with.Backend = backend
	l.asRead, l.project, l.Environment = p, &with, backend.Environment(next.Name)
	return nil
}

func allow(options PushOptions, question string) error {
	if options.Allow == nil {
		return fmt.Errorf("there is no terminal to ask: %s? nothing is pushed", question)
	}
	return options.Allow(question)
}

// findStack finds the environment's stack. One that is stuck is fixed, after asking; one that
// somebody else changes is left alone.
func (l *looked) findStack(ctx context.Context, options PushOptions, tell func(contract.Progress)) error {
	for range 3 {
		s, err := l.ownStack(ctx)
		if err != nil {
			return err
		}
		l.before = s
		if s != nil && s.Status == stack.ImportRolledBack && isHalf(s) {
			has, err := l.cloud.client.Resources(ctx, s.ARN)
			if err != nil {
				return err
			}
			if len(has) == 0 {
				s.Status = stack.RollbackComplete // a stack with nothing in it is made anew
			}
		}
		switch {
		case s == nil || s.Status == stack.Review:
			l.first = true
			return nil
		case s.Status.Settled():
			l.half = isHalf(s)
			return nil
		case options.DryRun && !s.Status.Unmade(), s.Status.Busy():
			return l.busy(ctx, s)
		case options.DryRun:
			l.first = true
			l.note(l.noteOf(ctx, s))
			return nil
		}
		if err := l.mend(ctx, s, options, tell); err != nil {
			return err
		}
	}
	return fmt.Errorf("the stack %s is still changing; check it in the CloudFormation console", l.Stack)
}

var errUnremoved = errors.New("the stack could not be removed")

// mend brings a stuck stack into a state in which it can be updated.
func (l *looked) mend(ctx context.Context, s *stack.Stack, options PushOptions, tell func(contract.Progress)) error {
	of, client := l.of(), l.cloud.client
	// The push has its own token: one that is used again begins nothing.
	token := token(1, 1, l.random+"m", l.Who)
	w := wordsOf(l.names(ctx, s))
	after, err := client.LastEvent(ctx, s.ARN)
	if err != nil {
		return err
	}
	switch {
	case s.Status.Unmade():
		// Nothing in it ever worked, so there is nothing to lose and nothing to ask.
		tell(contract.Progress{Text: "the first push of " + phrase.Quote(l.Environment.Name) +
			" failed; its remains are being removed"})
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
				Fix: "remove it in the CloudFormation console, and push again",
			}
		}
		return err
	case s.Status == stack.UpdateRollbackFailed:
		if err := allow(options, "the stack "+s.Name+" could not roll back after a failed push ("+
			shortly(s.Reason)+"); try the rollback again before this push"); err != nil {
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
				Of: of, Text: "its stack " + s.Name + " still cannot roll back: " + why,
				Fix: "fix that in AWS, and push again; or skip the resource with: aws cloudformation continue-update-rollback " +
					"--resources-to-skip",
			}
		}
		return err
	}
	if s.Status == stack.DeleteFailed {
		return &model.Problem{Of: of, Text: l.noteOf(ctx, s), Cause: errUnremoved}
	}
	return &model.Problem{
		Of: of, Text: "its stack " + s.Name + " has the state " + phrase.Quote(string(s.Status)) + ": " + shortly(s.Reason),
		Fix: "wait, or fix the stack in the CloudFormation console, and push again",
	}
}
