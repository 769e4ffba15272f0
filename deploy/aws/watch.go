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

	push      *Push
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
	w := &Watch{stack: s, Running: s.Status.Busy(), operation: c.operation(ctx, s)}
	w.Text = busyText(w.operation, s)
	if !w.Running {
		w.Text = "the stack " + s.Name + " " + s.Status.Words() + ", since " + clock.Moment(s.Since())
	}
	_, w.Step, w.Steps = pusher(w.operation.Token)
	w.push = &Push{
		Environment: env, Account: c.ID, Who: c.Who(), Region: c.Region, Stack: s.Name, provider: a, cloud: c,
		project: p, before: s,
	}
	w.push.words = wordsOf(c.render(p.Backend, env), c.deployedTemplate(ctx, s))
	return w, nil
}

// render renders an environment for its names alone; nil if that is not possible.
func (c *session) render(b *model.Backend, env *model.Environment) *template.Template {
	made, _ := template.Render(b, env, template.Options{})
	return made
}

// deployedTemplate renders what a stack has for its names alone; nil if that is not possible.
func (c *session) deployedTemplate(ctx context.Context, s *stack.Stack) *template.Template {
	d, _, err := c.deployment(ctx, s)
	if err != nil {
		return nil
	}
	then := d.Project.Backend
	return c.render(then, then.Environment(d.Environment))
}

// Follow follows the operation to its end. Then it brings this machine up to date, as the push
// would have. An operation that failed is an error, as for the push itself.
func (w *Watch) Follow(
	ctx context.Context, tell func(contract.Progress), made func(contract.Event),
) (project.Record, error) {
	x := w.push
	if tell == nil {
		tell = func(contract.Progress) {}
	}
	if made == nil {
		made = func(contract.Event) {}
	}
	follower := x.cloud.client.FollowOperation(w.stack.ARN, w.operation)
	ended, err := x.follow(ctx, follower, tell)
	switch {
	case err != nil:
		return project.Record{}, x.interrupted(err)
	case ended.Status == stack.DeleteComplete:
		return project.Record{}, x.project.Undeploy(x.Environment.Name)
	case !ended.Status.Succeeded():
		return project.Record{}, x.failed(ended, follower.Failures)
	}
	if isHalf(ended) {
		return project.Record{}, w.rest()
	}
	if x.Environment.Guarded {
		if x.old, err = x.cloud.templates(ctx, ended); err != nil {
			return project.Record{}, x.deployedBut(err)
		}
	}
	record, err := x.finish(ctx, made)
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
		Of: w.push.of(), Text: text,
		Fix: "push again: gatewright push --env " + model.ShellWord(w.push.Environment.Name), Cause: errRest,
	}
}

var errRest = errors.New("a push is half done")

// Cancel cancels the update that goes on: the stack goes back to what it was. A first push has
// nothing to go back to, so that its stack is removed.
func (x *Push) Cancel(ctx context.Context) error {
	s, err := x.cloud.client.Describe(ctx, x.Stack)
	switch {
	case err != nil:
		return err
	case s.Status.Cancellable():
		return x.cloud.client.Cancel(ctx, s.ARN, token(1, 1, randomText(), x.Who))
	case s.Status.Creating():
		return x.cloud.client.Delete(ctx, s.ARN, "")
	}
	return &model.Problem{
		Of: x.of(), Text: "cannot be cancelled now: its stack " + s.Status.Words(),
		Fix: "wait for its end",
	}
}

// Cancel cancels the operation that is watched.
func (w *Watch) Cancel(ctx context.Context) error { return w.push.Cancel(ctx) }
