package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/cfn"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// Removal is the removal of an environment from the cloud, found and not carried out.
type Removal struct {
	// Stack, Account and Region say what is removed; Stack is "" if nothing is deployed.
	Stack, Account, Region string
	// Lost are the tables and pools whose data are lost, Kept those that stay, in words.
	Lost, Kept []string

	push *Push
	// keeping is the template with which the groups of a pool that stays do so too; nil if there
	// is nothing to keep.
	keeping *cfn.Node
}

// Kept is a resource that a removed stack left in the account.
type Kept struct {
	// Name is what people call it, ID its id in the cloud.
	Name, ID string
}

// PrepareRemoval finds what the removal of an environment from the cloud would remove.
func (a Provider) PrepareRemoval(ctx context.Context, p *project.Project, env *model.Environment) (*Removal, error) {
	c, err := a.application(ctx, p, env)
	if err != nil {
		return nil, err
	}
	r := &Removal{Account: c.ID, Region: c.Region}
	s, err := c.ownStack(ctx, p.Backend, env)
	if err != nil || s == nil {
		return r, err
	}
	if s.Status.Busy() && !s.Status.Deleting() {
		return nil, c.busy(ctx, env, s)
	}
	r.Stack = s.Name
	r.push = &Push{
		Environment: env, Account: c.ID, Who: c.Who(), Region: c.Region, Stack: s.Name, provider: a, cloud: c,
		project: p, before: s,
	}
	r.push.words = wordsOf(c.deployedTemplate(ctx, s), c.render(p.Backend, env))
	if s.Status == stack.Review {
		return r, nil
	}
	if r.push.old, err = c.templates(ctx, s); err != nil {
		return nil, err
	}
	root := r.push.old.Root
	if next, changed := template.KeepingGroups(root, "kept when the environment "+env.Name+" was removed"); changed &&
		s.Status.Settled() {
		r.keeping, root = next, next
	}
	resources := root.Get("Resources")
	if resources == nil {
		return r, nil
	}
	for _, m := range resources.Members {
		kind := m.Value.Get("Type")
		if kind == nil {
			continue
		}
		l := r.push.loss(m, kind.Text, true)
		switch name := r.push.words.name(m.Name, kind.Text); {
		case l.Kept:
			r.Kept = append(r.Kept, name)
		case stateful[kind.Text] != nil:
			r.Lost = append(r.Lost, name)
		}
	}
	return r, nil
}

// Apply removes the stack and follows that to its end. It returns what stays in the account.
func (r *Removal) Apply(ctx context.Context, tell func(contract.Progress)) ([]Kept, error) {
	if r.Stack == "" {
		return nil, nil
	}
	if tell == nil {
		tell = func(contract.Progress) {}
	}
	x := r.push
	if r.keeping != nil {
		if err := x.keepGroups(ctx, r.keeping, tell); err != nil {
			return nil, err
		}
	}
	s := x.before
	if s.Protected {
		if err := x.cloud.client.Protect(ctx, s.ARN, false); err != nil {
			return nil, err
		}
	}
	var follower *stack.Follower
	if s.Status.Deleting() {
		// What this removal did before is told again, with what it kept.
		follower = x.cloud.client.FollowOperation(s.ARN, x.cloud.operation(ctx, s))
	} else {
		after, err := x.cloud.client.LastEvent(ctx, s.ARN)
		if err != nil {
			return nil, err
		}
		follower = x.cloud.client.Follow(s.ARN, after)
		if err := x.cloud.client.Delete(ctx, s.ARN, token(1, 1, randomText(), x.Who)); err != nil {
			return nil, err
		}
	}
	if s.Status == stack.Review {
		return nil, nil
	}
	var kept []Kept
	ended, err := follower.Wait(ctx, func(e stack.Event) {
		if e.Status == "DELETE_SKIPPED" {
			kept = append(kept, Kept{x.words.name(e.Logical, e.Type), e.Physical})
		}
		if p := x.words.progress(e); p != nil {
			tell(contract.Progress{Resource: p})
		}
	}, nil)
	if errors.Is(err, stack.ErrNoStack) || err == nil && ended.Status == stack.DeleteComplete {
		// What cannot be forgotten now is with the next first push.
		_ = x.cloud.forgetHot(ctx, r.Stack)
		return kept, nil
	}
	switch {
	case errors.Is(err, context.Canceled):
		return kept, fmt.Errorf("the removal goes on in AWS; run the command again to see its end: %w", ErrDetached)
	case err != nil:
		return kept, err
	}
	return kept, x.failed(ended, follower.Failures)
}

// keepGroups changes the stack so that its removal leaves the groups of the user pool, which know
// their members. Nothing else changes.
func (x *Push) keepGroups(ctx context.Context, root *cfn.Node, tell func(contract.Progress)) error {
	x.random, x.Updates = randomText(), 1
	body := root.Minified()
	key := oldKey(body)
	if _, err := x.cloud.bucket.Ensure(ctx); err != nil {
		return err
	}
	if _, err := x.cloud.bucket.Upload(ctx, []assets.Asset{assets.NewAsset(key, body)}, nil); err != nil {
		return err
	}
	tell(contract.Progress{Text: "the groups of the user pool are set to stay with it"})
	if err := x.cloud.client.DiscardLeft(ctx, x.before.ARN); err != nil {
		return err
	}
	set, err := x.cloud.client.Change(ctx, x.keeping(key, "k-"+x.random))
	x.set = set
	if err != nil {
		return x.refused(ctx, err)
	}
	if set.Empty {
		return x.Discard(ctx)
	}
	if err := x.execute(ctx, token(1, 1, x.random, x.Who), tell); err != nil {
		if errors.Is(err, ErrDetached) {
			return fmt.Errorf("nothing is removed yet; run the command again: %w", err)
		}
		return fmt.Errorf("the groups cannot be kept: %w; nothing is removed", err)
	}
	x.before, err = x.cloud.client.Describe(ctx, x.before.ARN)
	return err
}
