package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/internal/clock"
	"gatewright/model"
	"gatewright/project"
	"gatewright/render/template"
)

// Watch is an operation of an environment's stack that can be followed from any machine.
type Watch struct {
	// Text says who does what, and since when.
	Text string
	// Running says that it goes on; otherwise it has ended.
	Running bool
	// Step and Steps say which update of a push it is; zeros if that is not known.
	Step, Steps int

	place     Place
	words     words
	stack     *stack.Stack
	operation stack.Operation
}

// Attach finds the operation that goes on with an environment's stack, or was the last one.
// The error matches project.ErrNeverDeployed if there is no stack.
func (a Provider) Attach(ctx context.Context, p *project.Project, env *model.Environment) (*Watch, error) {
	c, err := a.application(ctx, p, env)
	if err != nil {
		return nil, err
	}
	s, err := c.ownStack(ctx, p.Backend, env)
	if err != nil {
		return nil, err
	}
	if s == nil || s.Status == stack.Review {
		return nil, neverPushed(env)
	}
	w := &Watch{place: c.at(p, env), stack: s, Running: s.Status.Busy(), operation: c.operation(ctx, s)}
	w.Text = busyText(w.operation, s)
	if !w.Running {
		w.Text = "the stack " + s.Name + " " + s.Status.Words() + ", since " + clock.Moment(s.Since())
	}
	_, w.Step, w.Steps = pusher(w.operation.Token)
	w.words = wordsOf(rendered(p.Backend, env), c.templateNames(ctx, s))
	return w, nil
}

// rendered renders an environment for its names alone; nil if that is not possible.
func rendered(b *model.Backend, env *model.Environment) *template.Template {
	made, _ := template.Render(b, env, template.Options{})
	return made
}

// templateNames renders what a stack has for its names alone; nil if that is not possible.
func (c *session) templateNames(ctx context.Context, s *stack.Stack) *template.Template {
	d, _, err := c.deployment(ctx, s)
	if err != nil {
		return nil
	}
	return deployedTemplate(d)
}

// deployedTemplate renders a deployment for its names alone; nil if that is not possible.
func deployedTemplate(d *project.Deployment) *template.Template {
	then := d.Project.Backend
	return rendered(then, then.Environment(d.Environment))
}

// Follow follows the operation to its end. Then it brings this machine up to date, as the push
// would have. An operation that failed is an error, as for the push itself.
func (w *Watch) Follow(
	ctx context.Context, tell func(contract.Progress), made func(contract.Event),
) (project.Record, error) {
	p := w.place
	if tell == nil {
		tell = func(contract.Progress) {}
	}
	if made == nil {
		made = func(contract.Event) {}
	}
	follower := p.cloud.client.FollowOperation(w.stack.ARN, w.operation)
	ended, err := p.follow(ctx, follower, w.words, tell)
	switch {
	case err != nil:
		return project.Record{}, p.interrupted(err)
	case ended.Status == stack.DeleteComplete:
		return project.Record{}, p.project.Undeploy(p.Environment.Name)
	case !ended.Status.Succeeded():
		return project.Record{}, pushFailed(w.words, p.of(), ended, follower.Failures)
	}
	if isHalf(ended) {
		return project.Record{}, w.rest()
	}
	var is template.Deployed
	if p.Environment.Guarded {
		if is, err = p.cloud.templates(ctx, ended); err != nil {
			return project.Record{}, p.deployedBut(err)
		}
	}
	s, err := p.deployed(ctx, strictPolicy(p.Environment, w.words, nil, is.Root))
	if err != nil {
		return project.Record{}, err
	}
	record, err := p.record(ctx, s, made)
	if err == nil && w.Step < w.Steps {
		err = w.rest()
	}
	return record, err
}

// rest is the error of an update after which others were to follow.
func (w *Watch) rest() error {
	text := "a part of a push is done, and nobody carries out the rest"
	if w.Steps > 0 {
		text = fmt.Sprintf("update %d of %d is done, and nobody carries out the rest", w.Step, w.Steps)
	}
	return &model.Problem{
		Of: w.place.of(), Text: text,
		Fix: "push again: gatewright push --env " + model.ShellWord(w.place.Environment.Name), Cause: errRest,
	}
}

var errRest = errors.New("a push is half done")

// Cancel cancels the operation that is watched.
func (w *Watch) Cancel(ctx context.Context) error { return w.place.Cancel(ctx) }
