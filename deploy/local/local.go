// Package local deploys environments to this machine: it stores what a project defines, and says what
// that changes. A sandbox serves it.
package local

import (
	"context"
	"errors"
	"fmt"
	"os"

	"gatewright/deploy/contract"
	"gatewright/deploy/index"
	"gatewright/deploy/outputs"
	"gatewright/deploy/refuse"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/diff"
	"gatewright/project"
	"gatewright/project/status"
)

// Provider deploys to this machine. It keeps deployments in the project's folder
// (project.Deploy) and finds them through the index; no process has to run.
type Provider struct {
	Index index.Index
	// Here is the project around the working directory; its deployments are found even
	// if the index does not list them. It may be nil.
	Here *project.Project
}

// Push deploys an environment to this machine: it stores the definition and the record, writes the client
// configuration file, and puts the stack into the index. It fails while the project has an error. Addresses and ids
// are the same in every push of an environment.
func (l Provider) Push(ctx context.Context, target contract.Target, tell func(contract.Event)) (project.Record, error) {
	if tell == nil {
		tell = func(contract.Event) {}
	}
	if target.Environment.Provider != model.Local {
		return project.Record{}, contract.Elsewhere(target.Environment)
	}
	if err := refuse.Push(target); err != nil {
		return project.Record{}, err
	}
	p, env := target.Project, target.Environment
	record, waiting, err := outputs.RecordOf(p.Backend, env, target.Now)
	if err != nil {
		return project.Record{}, err
	}
	before, err := compare(p, env, tell)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return project.Record{}, err
	}
	if err := p.Deploy(record); err != nil {
		return project.Record{}, err
	}
	// The environment is deployed now: a later failure does not undo that.
	reportChanges(before, p.Backend.For(env), tell)
	clientFile := outputs.WriteClientFile(ctx, p, record, tell)
	index := l.addToIndex(p, record, before.Deployed, tell)
	warnIncomplete(waiting, tell)
	switch {
	case clientFile != nil:
		return record,
			fmt.Errorf("environment %s is deployed, but its client configuration file could not be written: %w",
				phrase.Quote(env.Name), clientFile)
	case index != nil:
		return record,
			fmt.Errorf("environment %s is deployed, but only its project folder can find it: %w",
				phrase.Quote(env.Name), index)
	}
	return record, nil
}

// compare returns the status before a push, which has what the push changes. If the
// earlier deployment cannot be read, that is a warning: the push replaces it.
func compare(p *project.Project, env *model.Environment, tell func(contract.Event)) (status.Status, error) {
	before, err := status.Of(p, env.Name)
	if err == nil || errors.Is(err, project.ErrDeploying) {
		return before, err
	}
	tell(contract.Event{
		Kind: contract.Warned,
		Text: "the earlier deployment cannot be read and is ignored: " + err.Error(),
	})
	for _, d := range diff.Backends(nil, p.Backend.For(env)) {
		before.Resources = append(before.Resources, status.Resource{Difference: d})
	}
	return before, nil
}

// addToIndex puts the stack into the index, and takes out the environment's earlier stack if that had another name.
func (l Provider) addToIndex(
	p *project.Project, record project.Record, before *project.Record, tell func(contract.Event),
) error {
	if before != nil && before.Stack != record.Stack {
		if err := l.Index.ForgetOf(p.Root, record.Environment, before.Stack); err != nil {
			return err
		}
	}
	if e, err := l.Index.Find(record.Stack); err == nil && !index.SameFolder(e.Root, p.Root) && isFolder(e.Root) {
		tell(contract.Event{
			Kind: contract.Noted,
			Text: fmt.Sprintf("the stack %s was deployed from %s before; it now belongs to this project", record.Stack,
				phrase.QuotePath(e.Root)),
		})
	}
	return l.Index.Put(index.Entry{
		Stack: record.Stack, ApplicationID: record.ApplicationID, Branch: record.Branch,
		Environment: record.Environment, Root: p.Root, Deployed: record.Deployed,
	})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Record returns the record of the last deployment of a stack: from the project Here if that has it, else from the
// folder that the index names. Each reason for a missing record is an error of its own.
func (l Provider) Record(ctx context.Context, stack string) (project.Record, error) {
	return index.RecordOf(ctx, l.Index, l.Here, stack)
}
