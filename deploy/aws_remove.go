package deploy

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"gatewright/deploy/stack"
	"gatewright/model"
	"gatewright/project"
)

// Removal is the removal of an environment from the cloud, found and not carried out.
type Removal struct {
	// Stack, Account and Region say what is removed; Stack is "" if nothing is deployed.
	Stack, Account, Region string
	// Lost are the tables and pools whose data are lost, Kept those that stay, in words.
	Lost, Kept []string

	push *CloudPush
}

// Kept is a resource that a removed stack left in the account.
type Kept struct {
	// Name is what people call it, ID its id in the cloud.
	Name, ID string
}

// PrepareRemoval finds what the removal of an environment from the cloud would remove.
func (a AWS) PrepareRemoval(ctx context.Context, p *project.Project, env *model.Environment) (*Removal, error) {
	if err := hasApplication(p); err != nil {
		return nil, err
	}
	c, err := a.open(ctx, a.options(p, env))
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
	r.push = &CloudPush{Environment: env, Account: c.ID, Who: c.Who(), Region: c.Region, Stack: s.Name, provider: a, cloud: c, project: p, before: s}
	r.push.words = wordsOf(c.deployedTemplate(ctx, s), c.render(p.Backend, env))
	if s.Status == stack.Review {
		return r, nil
	}
	if r.push.old, err = c.templates(ctx, s); err != nil {
		return nil, err
	}
	resources := r.push.old.Root.Get("Resources")
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
func (r *Removal) Apply(ctx context.Context, tell func(Progress)) ([]Kept, error) {
	if r.Stack == "" {
		return nil, nil
	}
	if tell == nil {
		tell = func(Progress) {}
	}
	x := r.push
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
		if err := x.cloud.client.Delete(ctx, s.ARN, token(1, 1, strings.ToLower(rand.Text()[:8]), x.Who)); err != nil {
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
			tell(Progress{Resource: p})
		}
	}, nil)
	switch {
	case errors.Is(err, stack.ErrNoStack):
		return kept, nil
	case errors.Is(err, context.Canceled):
		return kept, fmt.Errorf("the removal goes on in AWS; run the command again to see its end: %w", ErrDetached)
	case err != nil:
		return kept, err
	case ended.Status != stack.DeleteComplete:
		return kept, x.failed(ended, follower.Failures)
	}
	return kept, nil
}
