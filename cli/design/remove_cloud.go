package design

import (
	"errors"
	"fmt"
	"strings"

	"gatewright/cli/cloud"
	"gatewright/cli/command"
	"gatewright/deploy/aws"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/project"
)

// removeFromCloud removes the stack of an environment from AWS before the edit is written, if
// there is one. Its name confirms that, guarded or not.
func (e *editing) removeFromCloud(
	streams command.Streams, env *model.Environment, guard command.GuardFlag, keep, dryRun bool,
) error {
	_, err := project.ReadRecord(e.project.Root, env.Name)
	neverPushed := env.Account == "" && errors.Is(err, project.ErrNeverDeployed)
	if keep || neverPushed || e.project.Backend.Project.ApplicationID == "" {
		return e.forgetDeployment(env, "")
	}
	name := model.ShellWord(env.Name)
	if !guard.Confirms(env) && !command.Attended(streams) && !dryRun {
		return command.Misuse("environment %s would be removed from AWS too, with everything in it; to do that give "+
			"--confirm %s; to keep it in AWS give --keep-stack", name, name)
	}
	// The interrupt is taken from here on; the process ends with the command.
	end := cloud.Detachable(streams)
	found, err := cloud.Provider(streams).PrepareRemoval(end.Context, e.project, env)
	if err != nil {
		end.Done()
		return fmt.Errorf("%w; to remove it only from the project give --keep-stack", cloud.Interrupted(err))
	}
	if found.Stack == "" {
		end.Done()
		e.note("AWS has nothing of environment %s in the account %s, %s", phrase.Quote(env.Name), found.Account, found.Region)
		return e.forgetDeployment(env, "")
	}
	e.note("the stack %s is removed from the account %s, %s", found.Stack, found.Account, found.Region)
	if len(found.Lost) > 0 {
		e.note("lost with it: %s", phrase.List(found.Lost))
	}
	if len(found.Kept) > 0 {
		e.note("these stay in the account: %s; push the environment with --adopt to take them over",
			phrase.List(found.Kept))
	}
	if dryRun {
		end.Done()
		return nil
	}
	e.confirmations = []func(command.Streams) error{func(streams command.Streams) error {
		if guard.Confirms(env) {
			return nil
		}
		command.SayNotes(streams.Err, e.notes)
		return typedName(streams, env, found)
	}}
	e.before = func() error {
		defer end.Done()
		show := cloud.NewView(streams, false)
		defer show.End()
		end.Detaches(nil, env)
		kept, err := found.Apply(end.Context, show.Add)
		show.End()
		for _, k := range kept {
			command.Say(streams.Err, "kept in the account %s: %s, %s", found.Account, k.Name, k.ID)
		}
		if err != nil {
			return end.Detached(fmt.Errorf("environment %s is not removed from the project: %w", phrase.Quote(env.Name), err))
		}
		return nil
	}
	return e.forgetDeployment(env, "")
}

// typedName asks for the name of an environment that is removed with its stack.
func typedName(streams command.Streams, env *model.Environment, found *aws.Removal) error {
	typed, err := command.Ask(streams,
		fmt.Sprintf("this removes environment %s with all that the stack %s has in AWS\ntype %s to continue: ",
			phrase.Quote(env.Name), found.Stack, phrase.Quote(env.Name)))
	if err != nil {
		return err
	}
	if strings.TrimSpace(typed) != env.Name {
		return fmt.Errorf("the name of environment %s was not typed; nothing was changed", phrase.Quote(env.Name))
	}
	return nil
}
