package aws

import (
	"context"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
	"gatewright/project/plan"
)

// told is the last phase of a push: it brings stack and code together, and this machine up to date.
func (r *running) told(ctx context.Context, made func(contract.Event)) (project.Record, error) {
	s, err := r.deployed(ctx, r.policy(nil))
	if err != nil {
		return project.Record{}, err
	}
	if err := r.converge(ctx); err != nil {
		return project.Record{}, r.deployedBut("the code of a hot push is still deployed", err, "; push again")
	}
	return r.record(ctx, s, made)
}

// deployed reads the stack after a push. With policy it protects the data of a guarded environment.
func (p Place) deployed(ctx context.Context, policy string) (*stack.Stack, error) {
	client := p.cloud.client
	s, err := client.Describe(ctx, p.Stack)
	if err == nil && p.Environment.Guarded {
		if err = client.SetPolicy(ctx, s.ARN, policy); err == nil && !s.Protected {
			err = client.Protect(ctx, s.ARN, true)
		}
	}
	if err != nil {
		return nil, p.unread(err)
	}
	return s, nil
}

// deployedBut is the error of a push that is done in AWS, and not here.
func (p Place) deployedBut(text string, err error, fix string) error {
	return fmt.Errorf("environment %s is deployed, but %s: %w%s", phrase.Quote(p.Environment.Name), text, err, fix)
}

func (p Place) unread(err error) error {
	return p.deployedBut("the result cannot be read", err, "; push again")
}

// record reads the deployment of a stack, keeps it on this machine, and writes the client configuration file.
func (p Place) record(ctx context.Context, s *stack.Stack, made func(contract.Event)) (project.Record, error) {
	state := State{Stack: s, Account: p.Account, Region: p.Region}
	var err error
	if state.Deployment, state.definition, err = p.cloud.deployment(ctx, s); err != nil {
		return project.Record{}, p.unread(err)
	}
	record := state.Deployment.Record
	if err := p.keep(&state); err != nil {
		return record, p.deployedBut("this machine's copy of it cannot be written", err, "")
	}
	if err := outputs.WriteClientFile(ctx, p.project, record, made); err != nil {
		return record, p.deployedBut("its client configuration file could not be written", err, "")
	}
	return record, nil
}

// writeAccount writes an account that is new into the environment's file.
func (x *Push) writeAccount(made func(contract.Event)) error {
	if x.asRead == nil {
		return nil
	}
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

// verifyAdopted looks once more at the tables and the pool that were taken over: they have to be the same as before.
func (d *difference) verifyAdopted(ctx context.Context) error {
	for _, f := range d.Adopted {
		mark, err := f.mark, error(nil)
		switch f.imports.Type {
		case tableType:
			var t describedTable
			t, _, err = d.cloud.describeTable(ctx, f.ID)
			mark = t.mark()
		case userPoolType:
			var p describedPool
			p, _, err = d.cloud.describePool(ctx, f.ID)
			mark = p.mark()
		}
		if err != nil {
			return d.unread(err)
		}
		if mark != f.mark {
			return &model.Problem{
				Of: f.Of, Text: f.Name + ", " + f.ID + ", is no longer the one that was adopted",
				Fix: "check in CloudTrail who replaced it", Cause: ErrPushFailed,
			}
		}
	}
	return nil
}
