package aws

import (
	"context"
	"fmt"

	"gatewright/deploy/contract"
	"gatewright/deploy/outputs"
	"gatewright/deploy/stack"
	"gatewright/internal/text/phrase"
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
		return project.Record{},
			fmt.Errorf("environment %s is deployed, but the code of a hot push is still there: %w; push again",
				phrase.Quote(r.Environment.Name), err)
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
		return nil, p.deployedBut(err)
	}
	return s, nil
}

func (p Place) deployedBut(err error) error {
	return fmt.Errorf("environment %s is deployed, but what was made cannot be read: %w; push again",
		phrase.Quote(p.Environment.Name), err)
}

// record reads the deployment of a stack, keeps it on this machine, and writes the client
// configuration file.
func (p Place) record(ctx context.Context, s *stack.Stack, made func(contract.Event)) (project.Record, error) {
	state := State{Stack: s, Account: p.Account, Region: p.Region}
	var err error
	if state.Deployment, state.definition, err = p.cloud.deployment(ctx, s); err != nil {
		return project.Record{}, p.deployedBut(err)
	}
	record := state.Deployment.Record
	if err := keep(p.project, p.Environment, &state); err != nil {
		return record,
			fmt.Errorf("environment %s is deployed, but this machine's copy of it cannot be written: %w",
				phrase.Quote(p.Environment.Name), err)
	}
	if err := outputs.WriteClientFile(ctx, p.project, record, made); err != nil {
		return record,
			fmt.Errorf("environment %s is deployed, but its client configuration file could not be written: %w",
				phrase.Quote(p.Environment.Name), err)
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
