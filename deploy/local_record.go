package deploy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gatewright/model"
	"gatewright/project"
)

// Record is what is known of the last deployment of a stack: from the project
// Here if that holds it, else from where the index says. Each way in which it may
// be missing is an error of its own.
func (l Local) Record(ctx context.Context, stack string) (project.Record, error) {
	if err := ValidStack(stack); err != nil {
		return project.Record{}, err
	}
	if err := ctx.Err(); err != nil {
		return project.Record{}, err
	}
	record, found, here := l.recordHere(stack)
	if found {
		return record, here
	}
	e, err := l.Index.Find(stack)
	switch {
	case err == nil:
		return recordAt(e)
	case here != nil:
		return project.Record{}, here
	}
	return project.Record{}, err
}

// recordHere looks for the stack among the deployments that the project Here
// holds. found says that here is the place, whatever the error; without it the
// error, if there is one, is why an environment that would be this stack is not.
func (l Local) recordHere(stack string) (record project.Record, found bool, err error) {
	if l.Here == nil || l.Here.Root == "" {
		return project.Record{}, false, nil
	}
	var reason error
	for _, env := range l.Here.Backend.Environments {
		is := StackName(l.Here.Backend.Project.ApplicationID, env.BranchName()) == stack
		if env.Provider != model.Local {
			if is {
				reason = providerProblem(env)
			}
			continue
		}
		record, err := project.ReadRecord(l.Here.Root, env.Name)
		switch {
		case err == nil && record.Stack == stack:
			return record, true, nil
		case !is:
		case err == nil:
			reason = &model.Problem{
				Of:   model.Ref{Kind: model.KindEnvironment, Name: env.Name},
				Text: fmt.Sprintf("was last deployed as application %s and branch %s, the stack %s", model.Quote(record.ApplicationID), model.Quote(record.Branch), model.Quote(record.Stack)),
				Fix:  "deploy it as what it is now with: gatewright push --env " + model.Quote(env.Name), Cause: ErrNoStack,
			}
		case errors.Is(err, project.ErrNeverDeployed):
			reason = fmt.Errorf("%w; deploy it with: gatewright push --env %s", err, model.Quote(env.Name))
		default:
			return project.Record{}, true, err
		}
	}
	return project.Record{}, false, reason
}

// recordAt reads the record that an entry of the index leads to.
func recordAt(e Entry) (project.Record, error) {
	const again = "deploy it again with: gatewright push"
	root, env := project.QuotePath(e.Root), model.Quote(e.Environment)
	lost := func(cause error, text string, args ...any) (project.Record, error) {
		return project.Record{}, &model.Problem{Field: "stack", Text: e.Stack + " was deployed from " + root + fmt.Sprintf(text, args...), Fix: again, Cause: cause}
	}
	info, err := os.Stat(e.Root)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir():
		return lost(ErrNoStack, ", which is no folder any more; it may have moved")
	case err != nil:
		return project.Record{}, fmt.Errorf("looking for the stack %s: %w", e.Stack, err)
	}
	record, err := project.ReadRecord(e.Root, e.Environment)
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		return lost(project.ErrNeverDeployed, ", which holds no deployment of environment %s any more", env)
	case err != nil:
		return project.Record{}, fmt.Errorf("reading the deployment in %s: %w", root, err)
	case record.ApplicationID != e.ApplicationID:
		return lost(ErrNoStack, ", which is of the application %s now", model.Quote(record.ApplicationID))
	case record.Stack != e.Stack:
		return lost(ErrNoStack, ", where environment %s is the stack %s now", env, model.Quote(record.Stack))
	}
	return record, nil
}
