package cli

import (
	"errors"
	"fmt"
	"os"

	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
)

// forgetDeployment has what was deployed of an environment forgotten as soon as
// the edit is written, and says so; next is what to do then. An environment that
// is being pushed at the moment is refused.
func (e *editing) forgetDeployment(env *model.Environment, next string) error {
	if e.from.Layout != project.Native {
		return nil
	}
	stack := stackOf(e.from, env)
	record, err := project.ReadRecord(e.from.Root, env.Name)
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		return nil
	case errors.Is(err, project.ErrDeploying):
		return err
	case err == nil:
		stack = record.Stack
	}
	name := model.Quote(env.Name)
	e.note("what was pushed as environment %s is forgotten, the stack %s%s", name, project.QuotePath(stack), next)
	e.afterwards = func() error {
		err := e.from.Undeploy(env.Name)
		if err == nil {
			err = forgetStack(e.from.Root, env.Name, stack)
		}
		if err != nil {
			return fmt.Errorf("the change is written, but what was pushed as environment %s is not forgotten: %w", name, err)
		}
		return nil
	}
	return nil
}

// forgetStack takes a stack out of the index if it is that of an environment of
// the project in root.
func forgetStack(root, env, stack string) error {
	index := openIndex()
	entry, err := index.Find(stack)
	unknown := errors.Is(err, deploy.ErrNoStack) || errors.Is(err, deploy.ErrRequest)
	if unknown || err == nil && entry.Environment != env {
		return nil
	}
	if err != nil {
		return err
	}
	here, err := os.Stat(root)
	if err != nil {
		return fmt.Errorf("looking for the project: %w", err)
	}
	if there, err := os.Stat(entry.Root); err != nil || !os.SameFile(here, there) {
		return nil
	}
	return index.Forget(stack)
}
