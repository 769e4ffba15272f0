package design

import (
	"errors"
	"fmt"

	"gatewright/cli/command"
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
	stack := command.StackOf(e.from, env)
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
			err = deploy.UserIndex().ForgetOf(e.from.Root, env.Name, stack)
		}
		if err != nil {
			return fmt.Errorf("the change is written, but what was pushed as environment %s is not forgotten: %w", name, err)
		}
		return nil
	}
	return nil
}
