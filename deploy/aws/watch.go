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
	Place
	// Text says who does what, and since when.
	Text string
	// Running says that it goes on; otherwise it has ended.
	Running bool
	// Step and Steps say which update of a push it is; zeros if that is not known.
	Step, Steps int

	words     words
	stack     *stack.Stack
	operation stack.Operation
}

// Attach finds the operation that goes on with an environment's stack, or was the last one.
// The error matches project.ErrNeverDeployed if there is no stack.
func (a Provider) Attach(ctx context.Context, p *project.Project, env *model.Environment) (*Watch, error) {
	at, err := a.at(ctx, p, env)
	if err != nil {
		return nil, err
	}
	s, err := at.ownStack(ctx)
	if err != nil {
		return nil, err
	}
	if s == nil || s.Status == stack.Review {
		return nil, at.neverPushed()
	}
	w := &Watch{Place: at, stack: s, Running: s.Status.Busy(), operation: at.cloud.operation(ctx, s)}
	w.Text = busyText(w.operation, s)
	if !w.Running {
		w.Text = "the stack " + s.Name + " " + s.Status.Words() + ", since " + clock.Moment(s.Since())
	}
	_, w.Step, w.Steps = pusher(w.operation.Token)
	w.words = wordsOf(at.names(ctx, s))
	return w, nil
}

// Follow follows the operation to its end. Then it brings this machine up to date, as the push
// would have. An operation that failed is an error, as for the push itself.
func (w *Watch) Follow(
	ctx context.Context, tell func(contract.Progress), made func(contract.Event),
) (project.Record, error) {
	tell, made = heard(tell), heard(made)
	follower := w.cloud.client.FollowOperation(w.stack.ARN, w.operation)
	ended, err := w.follow(ctx, follower, w.words, tell)
	switch {
	case err != nil:
		return project.Record{}, w.interrupted(err)
	case ended.Status == stack.DeleteComplete:
		return project.Record{}, w.project.Undeploy(w.Environment.Name)
	case !ended.Status.Succeeded():
		return project.Record{}, pushFailed(w.words, w.of(), ended, follower.Failures)
	}
	if isHalf(ended) {
		return project.Record{}, w.rest()
	}
	var is template.Deployed
	if w.Environment.Guarded {
		if is, err = w.cloud.templates(ctx, ended); err != nil {
			return project.Record{}, w.unread(err)
		}
	}
	s, err := w.deployed(ctx, strictPolicy(w.Environment, w.words, nil, is.Root))
	if err != nil {
		return project.Record{}, err
	}
	record, err := w.record(ctx, s, made)
	if err == nil && w.Step < w.Steps {
		err = w.rest()
	}
	return record, err
}

// rest is the error of an update after which others were to follow.
func (w *Watch) rest() error {
	text := "part of a push is done, and nobody is continuing it"
	if w.Steps > 0 {
		text = fmt.Sprintf("update %d of %d is done, and nobody is continuing the push", w.Step, w.Steps)
	}
	return &model.Problem{
		Of: w.of(), Text: text,
		Fix: "push again: gatewright push --env " + model.ShellWord(w.Environment.Name), Cause: errRest,
	}
}

var errRest = errors.New("a push is half done")
