package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gatewright/deploy/contract"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// RecordOf returns the record of the last deployment of a stack: from the project here if that has it, which may be
// nil, else from the folder that the index names. Each reason for a missing record is an error of its own.
func RecordOf(ctx context.Context, index Index, here *project.Project, stack string) (project.Record, error) {
	if err := ValidStack(stack); err != nil {
		return project.Record{}, err
	}
	if err := ctx.Err(); err != nil {
		return project.Record{}, err
	}
	record, found, reason := recordHere(here, stack)
	if found {
		return record, reason
	}
	e, err := index.Find(stack)
	switch {
	case err == nil:
		return recordAt(e)
	case reason != nil:
		return project.Record{}, reason
	}
	return project.Record{}, err
}

// recordHere looks for the stack among the deployments of the project here. found means that the search ends here,
// also with an error. Without found, an error says why the environment with this stack name has no deployment of it.
func recordHere(here *project.Project, stack string) (record project.Record, found bool, err error) {
	if here == nil || here.Root == "" {
		return project.Record{}, false, nil
	}
	var reason error
	for _, env := range here.Backend.Environments {
		is := StackName(here.Backend.Project.ApplicationID, env.BranchName()) == stack
		if env.Provider != model.Local {
			if is {
				reason = contract.Elsewhere(env)
			}
			continue
		}
		record, err := project.ReadRecord(here.Root, env.Name)
		switch {
		case err == nil && record.Stack == stack:
			return record, true, nil
		case !is:
		case err == nil:
			reason = &model.Problem{
				Of: model.Ref{Kind: model.KindEnvironment, Name: env.Name},
				Text: fmt.Sprintf("was last deployed as application %s and branch %s, the stack %s",
					phrase.Quote(record.ApplicationID), phrase.Quote(record.Branch), phrase.Quote(record.Stack)),
				Fix: "deploy it under its current name with: gatewright push --env " + phrase.Quote(env.Name), Cause: ErrNoStack,
			}
		case errors.Is(err, project.ErrNeverDeployed):
			reason = fmt.Errorf("%w; deploy it with: gatewright push --env %s", err, phrase.Quote(env.Name))
		default:
			return project.Record{}, true, err
		}
	}
	return project.Record{}, false, reason
}

// recordAt reads the record that an entry of the index points to.
func recordAt(e Entry) (project.Record, error) {
	const again = "deploy it again with: gatewright push"
	root, env := phrase.QuotePath(e.Root), phrase.Quote(e.Environment)
	lost := func(cause error, text string, args ...any) (project.Record, error) {
		return project.Record{},
			&model.Problem{
				Field: "stack", Text: e.Stack + " was deployed from " + root + fmt.Sprintf(text, args...), Fix: again,
				Cause: cause,
			}
	}
	info, err := os.Stat(e.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir():
		return lost(ErrNoStack, ", which no longer exists; it may have moved")
	case err != nil:
		return project.Record{}, fmt.Errorf("looking for the stack %s: %w", e.Stack, err)
	}
	record, err := project.ReadRecord(e.Root, e.Environment)
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		return lost(project.ErrNeverDeployed, ", which no longer has a deployment of environment %s", env)
	case err != nil:
		return project.Record{}, fmt.Errorf("reading the deployment in %s: %w", root, err)
	case record.ApplicationID != e.ApplicationID:
		return lost(ErrNoStack, ", which now belongs to the application %s", phrase.Quote(record.ApplicationID))
	case record.Stack != e.Stack:
		return lost(ErrNoStack, ", where environment %s is now the stack %s", env, phrase.Quote(record.Stack))
	}
	return record, nil
}
