package aws

import (
	"context"
	"errors"
	"fmt"

	"gatewright/deploy/account"
	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
	"gatewright/render/template"
)

// ErrDetached is the error of a push that is no longer followed. It goes on in the cloud.
var ErrDetached = errors.New("the push goes on in AWS")

// Apply carries out a push that was prepared, and follows it to its end. tell, which may be
// nil, gets the progress, and made the changes of files on this machine. The end of ctx ends
// the following only: the error then matches ErrDetached. After a failure everything is as it
// was before, which the error says.
func (x *Push) Apply(
	ctx context.Context, tell func(contract.Progress), made func(contract.Event),
) (project.Record, error) {
	if tell == nil {
		tell = func(contract.Progress) {}
	}
	if made == nil {
		made = func(contract.Event) {}
	}
	// What cannot be discarded now, the next push discards.
	defer func() { _ = x.Discard(ctx) }()
	if err := x.Refusal(); err != nil {
		return project.Record{}, err
	}
	if x.asRead != nil {
		if err := x.writeAccount(made); err != nil {
			return project.Record{}, err
		}
	}
	// An environment that was guarded before may still have the policy.
	if !x.first && (x.Environment.Guarded || len(x.Losses) > 0) {
		if err := x.cloud.client.SetPolicy(ctx, x.before.ARN, x.strictPolicy(x.Losses)); err != nil {
			return project.Record{}, err
		}
	}
	if err := x.updates(ctx, tell); err != nil {
		if x.taken > 0 {
			return project.Record{}, x.halfAdopted(err)
		}
		if !x.first && len(x.Losses) > 0 && !errors.Is(err, ErrDetached) {
			// The next push of a guarded environment sets it again, if this fails.
			_ = x.cloud.client.SetPolicy(ctx, x.before.ARN, x.strictPolicy(nil))
		}
		return project.Record{}, err
	}
	if err := x.verifyAdopted(ctx); err != nil {
		return project.Record{}, err
	}
	return x.finish(ctx, made)
}

// writeAccount writes the account into the environment's file.
func (x *Push) writeAccount(made func(contract.Event)) error {
	plan, err := plan.Of(x.asRead, x.project.Backend)
	if err == nil {
		err = plan.Commit()
	}
	if err != nil {
		return fmt.Errorf("the account cannot be written into the file of environment %s: %w",
			phrase.Quote(x.Environment.Name), err)
	}
	for _, c := range plan.Changes {
		made(contract.Event{
			Kind: contract.Noted,
			Text: "the account " + x.Account + " is written into " + phrase.QuotePath(c.Path),
		})
	}
	return nil
}

// updates carries out the updates, one after the other. If a later one fails, the first state
// is brought back.
func (x *Push) updates(ctx context.Context, tell func(contract.Progress)) error {
	if len(x.imports) > 0 {
		if err := x.takeOver(ctx, tell); err != nil {
			return err
		}
	} else if len(x.steps) > 0 {
		// A change set is void after another update, but the first one of this push was made
		// from what the stack had, and is asked for only now.
		switch seen, err := x.cloud.client.LastEvent(ctx, x.before.ARN); {
		case err != nil:
			return err
		case seen != x.seen:
			return x.overtaken(ctx, stack.ErrBusy)
		}
	}
	for i, step := range x.steps {
		if err := x.step(ctx, i, step, tell); err != nil {
			if i > 0 {
				err = x.restore(ctx, i, err, tell)
			}
			return err
		}
	}
	last := x.taken + len(x.steps) + 1
	if x.Updates < last {
		return nil
	}
	if x.set == nil || len(x.steps) > 0 {
		set, err := x.cloud.client.Change(ctx, x.input(x.made.Key, fmt.Sprintf("u%d-%s", last, x.random)))
		x.set = set
		if err != nil {
			return x.restored(ctx, x.refused(ctx, err), tell)
		}
		if set.Empty {
			return x.Discard(ctx)
		}
	}
	if last > 1 {
		tell(contract.Progress{Text: fmt.Sprintf("update %d of %d brings what is new", x.Updates, x.Updates)})
	}
	if err := x.execute(ctx, token(last, x.Updates, x.random, x.Who), tell); err != nil {
		return x.restored(ctx, err, tell)
	}
	return nil
}

func (x *Push) restored(ctx context.Context, err error, tell func(contract.Progress)) error {
	if len(x.steps) == 0 {
		return err
	}
	return x.restore(ctx, len(x.steps), err, tell)
}

// step carries out an update on the way to the last one.
func (x *Push) step(ctx context.Context, i int, step template.Step, tell func(contract.Progress)) error {
	number := x.taken + i + 1
	tell(contract.Progress{Text: fmt.Sprintf("update %d of %d %s", number, x.Updates, step.Why)})
	set, err := x.cloud.client.Change(ctx, x.keeping(step.Key, fmt.Sprintf("u%d-%s", number, x.random)))
	x.set = set
	if err != nil {
		return x.refused(ctx, err)
	}
	if set.Empty {
		return x.Discard(ctx)
	}
	return x.execute(ctx, token(number, x.Updates, x.random, x.Who), tell)
}

// execute carries out the change set and follows it.
func (x *Push) execute(ctx context.Context, token string, tell func(contract.Progress)) error {
	set := x.set
	after, err := x.cloud.client.LastEvent(ctx, set.StackARN)
	if errors.Is(err, stack.ErrNoStack) {
		return x.overtaken(ctx, err)
	}
	if err != nil {
		return err
	}
	// From here on it is either known that the update goes on, or that it does not.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), shortCall)
	defer cancel()
	err = x.cloud.client.Execute(asking, set, token)
	switch {
	case errors.Is(err, stack.ErrBusy):
		return x.overtaken(asking, err)
	case err != nil && stack.Unanswered(err):
		x.set = nil
		return fmt.Errorf("it is not known whether the push goes on in AWS (%w); see it with: %s", err, x.watching())
	case err != nil:
		return err
	}
	x.set = nil
	follower := x.cloud.client.Follow(set.StackARN, after)
	ended, err := x.follow(ctx, follower, tell)
	if err != nil {
		return x.interrupted(err)
	}
	if ended.Status.Succeeded() && ended.Status != stack.DeleteComplete {
		x.begun = true
		return nil
	}
	return x.failed(ended, follower.Failures)
}

// overtaken is the error of a push that somebody else came before.
func (x *Push) overtaken(ctx context.Context, err error) error {
	if s, found := x.cloud.client.Describe(ctx, x.Stack); found == nil && s.Status.Busy() {
		return x.cloud.busy(ctx, x.Environment, s)
	}
	happened := "nothing of this push has happened"
	if x.begun {
		happened = "only a part of this push has happened"
	}
	return &model.Problem{
		Of: x.of(), Text: "its stack was changed by somebody else meanwhile; " + happened,
		Fix: "push again", Cause: errors.Join(ErrStackBusy, err),
	}
}

func (x *Push) of() model.Ref {
	return model.Ref{Kind: model.KindEnvironment, Name: x.Environment.Name}
}

// follow follows an operation and tells its progress in words.
func (x *Push) follow(ctx context.Context, f *stack.Follower, tell func(contract.Progress)) (*stack.Stack, error) {
	goingBack := false
	return f.Wait(ctx, func(e stack.Event) {
		if r := x.words.progress(e); r != nil {
			tell(contract.Progress{Resource: r})
			return
		}
		if !e.Nested && e.Status.RollingBack() && !goingBack {
			goingBack = true
			tell(contract.Progress{Text: "something failed; everything goes back to what it was"})
		}
	}, func(err error) {
		tell(contract.Progress{Text: "AWS does not answer and is asked again (" + err.Error() + ")"})
	})
}

// interrupted says of an error of following that the update goes on.
func (x *Push) interrupted(err error) error {
	watch := x.watching()
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%w; follow it with: %s", ErrDetached, watch)
	case errors.Is(err, stack.ErrLost), errors.Is(err, account.ErrCredentials):
		return fmt.Errorf("%w, but can no longer be followed from here: %w; then follow it with: %s", ErrDetached, err, watch)
	}
	return err
}

func (x *Push) watching() string {
	return "gatewright push --watch --env " + model.ShellWord(x.Environment.Name)
}

// restore brings back what the first updates of a failed push took away. It goes back one by
// one, because a table gets or loses one index in an update.
func (x *Push) restore(ctx context.Context, done int, cause error, tell func(contract.Progress)) error {
	if errors.Is(cause, ErrDetached) || errors.Is(cause, ErrStackBusy) || ctx.Err() != nil {
		return cause
	}
	tell(contract.Progress{Text: "what the updates before took away is brought back"})
	for i := range done {
		key := oldKey(x.old.Root.Minified())
		if at := done - 2 - i; at >= 0 {
			key = x.steps[at].Key
		}
		set, err := x.cloud.client.Change(ctx, x.keeping(key, fmt.Sprintf("r%d-%s", i+1, x.random)))
		x.set = set
		switch {
		case err == nil && set.Empty:
			err = x.Discard(ctx)
		case err == nil:
			// Each operation has a token of its own. Who watches is told that a push is to do.
			err = x.execute(ctx, token(1, x.Updates, fmt.Sprintf("%sr%d", x.random, i+1), x.Who), tell)
		}
		if err != nil {
			return fmt.Errorf("%w; what the updates before took away could not be brought back (%w): push again", cause, err)
		}
	}
	return cause
}

// finish reads what is deployed, and brings this machine up to date: the copy of the
// deployment, and the client configuration file.
func (x *Push) finish(ctx context.Context, made func(contract.Event)) (project.Record, error) {
	s, err := x.cloud.client.Describe(ctx, x.Stack)
	if err != nil {
		return project.Record{}, x.deployedBut(err)
	}
	if x.Environment.Guarded {
		if err := x.guard(ctx, s); err != nil {
			return project.Record{}, x.deployedBut(err)
		}
	}
	if x.archiveKeys != nil {
		if err := x.converge(ctx); err != nil {
			return project.Record{},
				fmt.Errorf("environment %s is deployed, but the code of a hot push is still there: %w; push again",
					phrase.Quote(x.Environment.Name), err)
		}
	}
	return x.provider.record(ctx, x.cloud, x.project, x.Environment, s, made)
}

// guard protects the data and the stack of a guarded environment.
func (x *Push) guard(ctx context.Context, s *stack.Stack) error {
	if err := x.cloud.client.SetPolicy(ctx, s.ARN, x.strictPolicy(nil)); err != nil || s.Protected {
		return err
	}
	return x.cloud.client.Protect(ctx, s.ARN, true)
}

func (x *Push) deployedBut(err error) error {
	return fmt.Errorf("environment %s is deployed, but what was made cannot be read: %w; push again",
		phrase.Quote(x.Environment.Name), err)
}

// Finish brings this machine up to date after a push that had nothing to do.
func (x *Push) Finish(ctx context.Context, made func(contract.Event)) (project.Record, error) {
	if made == nil {
		made = func(contract.Event) {}
	}
	if x.asRead != nil {
		if err := x.writeAccount(made); err != nil {
			return project.Record{}, err
		}
	}
	return x.finish(ctx, made)
}

// record reads the deployment of a stack, keeps it on this machine, and writes the client
// configuration file.
func (a Provider) record(
	ctx context.Context, c *session, p *project.Project, env *model.Environment, s *stack.Stack, made func(contract.Event),
) (project.Record, error) {
	state := State{Stack: s, Account: c.ID, Region: c.Region}
	var err error
	if state.Deployment, state.definition, err = c.deployment(ctx, s); err != nil {
		return project.Record{},
			fmt.Errorf("environment %s is deployed, but what was made cannot be read: %w; push again",
				phrase.Quote(env.Name), err)
	}
	record := state.Deployment.Record
	if err := keep(p, env, &state); err != nil {
		return record,
			fmt.Errorf("environment %s is deployed, but this machine's copy of it cannot be written: %w",
				phrase.Quote(env.Name), err)
	}
	if err := outputs.WriteClientFile(ctx, p, record, made); err != nil {
		return record,
			fmt.Errorf("environment %s is deployed, but its client configuration file could not be written: %w",
				phrase.Quote(env.Name), err)
	}
	return record, nil
}
