package aws

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	// Place says what is removed. Its Stack is "" if nothing is deployed.
	Place
	// Lost are the tables and pools whose data are lost, Kept those that stay, in words.
	Lost, Kept []string

	words  words
	before *stack.Stack
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
	at, err := a.at(ctx, p, env)
	if err != nil {
		return nil, err
	}
	r := &Removal{Place: at}
	if r.before, err = at.ownStack(ctx); err != nil || r.before == nil {
		r.Stack = ""
		return r, err
	}
	s, c := r.before, at.cloud
	if s.Status.Busy() && !s.Status.Deleting() {
		return nil, at.busy(ctx, s)
	}
	now, then := at.names(ctx, s)
	r.words = wordsOf(then, now)
	if s.Status == stack.Review {
		return r, nil
	}
	has, err := c.templates(ctx, s)
	if err != nil {
		return nil, err
	}
	root := has.Root
	if next, changed := template.KeepingGroups(root, "kept when the environment "+env.Name+" was removed"); changed &&
		s.Status.Settled() {
		r.keeping, root = next, next
	}
	// A first push that failed leaves a stack with a template and none of its resources.
	made, err := c.client.Resources(ctx, s.ARN)
	if err != nil {
		return nil, err
	}
	exists := func(logical string) bool {
		return slices.ContainsFunc(made, func(of stack.Resource) bool {
			return of.Logical == logical && of.Physical != "" && of.Status != "DELETE_COMPLETE"
		})
	}
	resources := root.Get("Resources")
	if resources == nil {
		return r, nil
	}
	for _, m := range resources.Members {
		kind := m.Value.Get("Type")
		if kind == nil || !exists(m.Name) {
			continue
		}
		l := lossOf(m, kind.Text, true, r.words, nil)
		switch name := r.words.name(m.Name, kind.Text); {
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
	tell = heard(tell)
	s, c := r.before, r.cloud
	if r.keeping != nil {
		var err error
		if s, err = r.keepGroups(ctx, tell); err != nil {
			return nil, err
		}
	}
	if s.Protected {
		if err := c.client.Protect(ctx, s.ARN, false); err != nil {
			return nil, err
		}
	}
	var follower *stack.Follower
	if s.Status.Deleting() {
		// What this removal did before is told again, with what it kept.
		follower = c.client.FollowOperation(s.ARN, c.operation(ctx, s))
	} else {
		after, err := c.client.LastEvent(ctx, s.ARN)
		if err != nil {
			return nil, err
		}
		follower = c.client.Follow(s.ARN, after)
		if err := c.client.Delete(ctx, s.ARN, token(1, 1, randomText(), r.Who)); err != nil {
			return nil, err
		}
	}
	if s.Status == stack.Review {
		return nil, nil
	}
	var kept []Kept
	ended, err := follower.Wait(ctx, func(e stack.Event) {
		if e.Status == "DELETE_SKIPPED" {
			kept = append(kept, Kept{r.words.name(e.Logical, e.Type), e.Physical})
		}
		if p := r.words.progress(e); p != nil {
			tell(contract.Progress{Resource: p})
		}
	}, nil)
	if errors.Is(err, stack.ErrNoStack) || err == nil && ended.Status == stack.DeleteComplete {
		// What cannot be forgotten now is with the next first push.
		_ = c.forgetHot(ctx, r.Stack)
		return kept, nil
	}
	switch {
	case errors.Is(err, context.Canceled):
		return kept, fmt.Errorf("the removal goes on in AWS; run the command again to see its end: %w", ErrDetached)
	case err != nil:
		return kept, err
	}
	return kept, pushFailed(r.words, r.of(), ended, follower.Failures)
}

// keepGroups changes the stack so that its removal leaves the groups of the user pool, which know
// their members. Nothing else changes. It returns the stack as it is then.
func (r *Removal) keepGroups(ctx context.Context, tell func(contract.Progress)) (*stack.Stack, error) {
	random, body, c := randomText(), r.keeping.Minified(), r.cloud
	key := bodyKey(body)
	if _, err := c.bucket.Ensure(ctx); err != nil {
		return nil, err
	}
	if _, err := c.bucket.Upload(ctx, []assets.Asset{assets.NewAsset(key, body)}, nil); err != nil {
		return nil, err
	}
	tell(contract.Progress{Text: "the groups of the user pool are set to stay with it"})
	if err := c.client.DiscardLeft(ctx, r.before.ARN); err != nil {
		return nil, err
	}
	u := &updater{Place: r.Place, words: r.words, tell: tell}
	if err := u.change(ctx, r.Place.keeping(key, "k-"+random, r.before)); err != nil {
		return nil, err
	}
	if u.set.Empty {
		return r.before, u.discard(ctx)
	}
	if err := u.execute(ctx, token(1, 1, random, r.Who)); err != nil {
		if errors.Is(err, ErrDetached) {
			return nil, fmt.Errorf("nothing is removed yet; run the command again: %w", err)
		}
		return nil, fmt.Errorf("the groups cannot be kept: %w; nothing is removed", err)
	}
	return c.client.Describe(ctx, r.before.ARN)
}
