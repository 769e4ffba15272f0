package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/stack"
	"gatewright/render/template"
)

// running is the fourth phase of a push: its updates, one after the other. The push is a copy, which
// takes note of what was taken over.
type running struct {
	Push
	updater *updater
	// taken is 1 if the first update took something over.
	taken int
}

// run carries out the updates. While it does, the stack lets go of nothing but what was agreed to.
func (r *running) run(ctx context.Context) error {
	// An environment that was guarded before may still have the policy.
	if !r.first && (r.Environment.Guarded || len(r.Losses) > 0) {
		if err := r.cloud.client.SetPolicy(ctx, r.before.ARN, r.policy(r.Losses)); err != nil {
			return err
		}
	}
	err := r.updates(ctx)
	switch {
	case err == nil:
		return r.verifyAdopted(ctx)
	case r.taken > 0:
		return halfAdopted(err)
	case !r.first && len(r.Losses) > 0 && !errors.Is(err, ErrDetached):
		// The next push of a guarded environment sets it again, if this fails.
		_ = r.cloud.client.SetPolicy(ctx, r.before.ARN, r.policy(nil))
	}
	return err
}

// updates carries out the updates, one after the other. If a later one fails, the first state is brought back.
func (r *running) updates(ctx context.Context) error {
	u := r.updater
	if len(r.Adopted) > 0 {
		if err := r.takeOver(ctx); err != nil {
			return err
		}
	} else if len(r.steps) > 0 && !r.first {
		// A change set is void after another update, but the first one of this push was made
		// from what the stack had, and is asked for only now.
		switch seen, err := r.cloud.client.LastEvent(ctx, r.before.ARN); {
		case err != nil:
			return err
		case seen != r.seen:
			return u.overtaken(ctx, stack.ErrBusy)
		}
	}
	for i, step := range r.steps {
		if err := r.step(ctx, i, step); err != nil {
			return r.restored(ctx, i, err)
		}
	}
	last := r.taken + len(r.steps) + 1
	if r.Updates < last {
		return nil
	}
	if u.set == nil || len(r.steps) > 0 {
		if err := u.change(ctx, r.final(fmt.Sprintf("u%d-%s", last, r.random))); err != nil {
			return r.restored(ctx, len(r.steps), err)
		}
		if u.set.Empty {
			return u.discard(ctx)
		}
	}
	if last > 1 {
		u.tell(contract.Progress{Text: fmt.Sprintf("update %d of %d creates the new resources", r.Updates, r.Updates)})
	}
	if err := u.execute(ctx, token(last, r.Updates, r.random, r.Who)); err != nil {
		return r.restored(ctx, len(r.steps), err)
	}
	return nil
}

// step carries out an update on the way to the last one.
func (r *running) step(ctx context.Context, i int, step template.Step) error {
	number := r.taken + i + 1
	r.updater.tell(contract.Progress{Text: fmt.Sprintf("update %d of %d %s", number, r.Updates, step.Why)})
	if err := r.updater.change(ctx, r.onTheWay(step, fmt.Sprintf("u%d-%s", number, r.random))); err != nil {
		return err
	}
	if r.updater.set.Empty {
		return r.updater.discard(ctx)
	}
	if err := r.updater.execute(ctx, token(number, r.Updates, r.random, r.Who)); err != nil {
		return err
	}
	r.first, r.updater.first = false, false
	return nil
}

// onTheWay is the change set of an update on the way to the last one.
func (r *running) onTheWay(step template.Step, token string) stack.Input {
	if step.Grows {
		return r.toward(step, token)
	}
	in := r.keeping(step.Key, token, r.before)
	if r.half {
		// Without tags the stack is known as one that is half done.
		in.Tags = nil
	}
	return in
}

// takeOver carries out the first update of an adoption.
func (r *running) takeOver(ctx context.Context) error {
	r.updater.tell(contract.Progress{Text: fmt.Sprintf("update 1 of %d adopts existing resources", r.Updates)})
	arn := r.updater.set.StackARN
	err := r.updater.execute(ctx, token(1, r.Updates, r.random, r.Who))
	if errors.Is(err, ErrPushFailed) {
		return fmt.Errorf("%w; nothing was adopted, and all data is unchanged", err)
	}
	if err != nil {
		return err
	}
	before, err := r.cloud.client.Describe(ctx, arn)
	if err != nil {
		return r.interrupted(err)
	}
	r.before, r.first, r.half, r.taken, r.updater.first = before, false, true, 1, false
	return nil
}

// halfAdopted adds to an error after something was taken over that it was, and how to go on.
func halfAdopted(err error) error {
	if errors.Is(err, ErrDetached) || errors.Is(err, ErrStackBusy) {
		return err
	}
	return fmt.Errorf("%w; the adopted resources stay in the stack with their data: push again to continue", err)
}

// restored brings back what the first updates of a failed push took away. It goes back one by
// one, because a table gets or loses one index in an update.
func (r *running) restored(ctx context.Context, done int, cause error) error {
	if done == 0 || errors.Is(cause, ErrDetached) || errors.Is(cause, ErrStackBusy) || ctx.Err() != nil {
		return cause
	}
	if r.base.Root == nil {
		return fmt.Errorf("%w; part of the environment was created and stays: push again to continue", cause)
	}
	u := r.updater
	u.tell(contract.Progress{Text: "restoring what the updates removed"})
	for i := range done {
		to := template.Step{Key: bodyKey(r.base.Root.Minified())}
		if at := done - 2 - i; at >= 0 {
			to = r.steps[at]
		}
		set, err := r.cloud.client.Change(ctx, r.onTheWay(to, fmt.Sprintf("r%d-%s", i+1, r.random)))
		u.set = set
		switch {
		case err == nil && set.Empty:
			err = u.discard(ctx)
		case err == nil:
			// Each operation has a token of its own. Who watches is told that a push is to do.
			err = u.execute(ctx, token(1, r.Updates, fmt.Sprintf("%sr%d", r.random, i+1), r.Who))
		}
		if err != nil {
			return fmt.Errorf("%w; what the updates removed could not be restored (%w): push again", cause, err)
		}
	}
	return cause
}
