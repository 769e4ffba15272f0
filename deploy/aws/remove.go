package aws

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gatewright/deploy/assets"
	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
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
	// steps are the updates before the removal: the groups of a pool that stays do so too, and what is
	// too much to be removed at once goes.
	steps []template.Step
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
	if next, changed := template.KeepingGroups(has.Root, "kept when the environment "+env.Name+" was removed"); changed &&
		s.Status.Settled() {
		has.Root = next
		body := next.Minified()
		r.steps = []template.Step{{
			Why: "the groups of the user pool are set to stay with it", Body: body, Key: bodyKey(body),
		}}
	}
	if s.Status.Settled() {
		r.steps = append(r.steps, template.Shrinking(has)...)
	}
	root := has.Root
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
	for _, step := range r.steps {
		var err error
		if s, err = r.update(ctx, step, tell); err != nil {
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
		return kept, fmt.Errorf("the removal continues in AWS; run the command again to follow it: %w", ErrDetached)
	case err != nil:
		return kept, err
	}
	return kept, pushFailed(r.words, r.of(), ended, follower.Failures)
}

// update carries out an update before the removal. It returns the stack as it is then.
func (r *Removal) update(ctx context.Context, step template.Step, tell func(contract.Progress)) (*stack.Stack, error) {
	random, c := randomText(), r.cloud
	if _, err := c.bucket.Ensure(ctx); err != nil {
		return nil, err
	}
	all := []assets.Asset{assets.NewAsset(step.Key, step.Body)}
	for _, n := range step.Nested {
		all = append(all, assets.NewAsset(n.Key, n.Body))
	}
	if _, err := c.bucket.Upload(ctx, all, nil); err != nil {
		return nil, err
	}
	tell(contract.Progress{Text: step.Why})
	if err := c.client.DiscardLeft(ctx, r.before.ARN); err != nil {
		return nil, err
	}
	u := &updater{Place: r.Place, words: r.words, tell: tell}
	if err := u.change(ctx, r.keeping(step.Key, "k-"+random, r.before)); err != nil {
		return nil, err
	}
	if u.set.Empty {
		return r.before, u.discard(ctx)
	}
	if err := u.execute(ctx, token(1, 1, random, r.Who)); err != nil {
		if errors.Is(err, ErrDetached) {
			return nil, fmt.Errorf("the environment is not removed yet; run the command again: %w", err)
		}
		return nil, fmt.Errorf("%w; the environment is not removed", err)
	}
	return c.client.Describe(ctx, r.before.ARN)
}
