package design

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy"
	"gatewright/model"
	"gatewright/project"
)

func newAddEnvironment(streams command.Streams) *cobra.Command {
	var (
		write  editFlags
		flags  environmentFlags
		copied string
	)
	cmd := &cobra.Command{
		Use:     "env NAME",
		Aliases: []string{string(model.KindEnvironment)},
		Short:   "Add an environment, a separately deployed copy of the backend",
		Long: "Add an environment. Its name is the stage segment of its URLs. It has every API, unless --api names those it has.\n" +
			"--copy-from begins with all that another environment says but its branch and its guard.",
		Example: "  gatewright add env qa --branch release --parameter pool=small --variable books.LOG=debug\n" +
			"  gatewright add env prod --provider aws --region eu-west-1 --account 123456789012 --branch main --guarded\n" +
			"  gatewright add env demo --copy-from prod --api shop",
		Args: command.Arguments("a NAME for the environment"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return write.change(streams, func(e *editing) error {
				env := &model.Environment{Provider: model.Local}
				if cmd.Flags().Changed("copy-from") {
					from, err := command.NamedEnvironment(e.Backend, copied)
					if err != nil {
						return err
					}
					*env = *from
					env.Branch, env.Guarded = "", false
				}
				env.Name = args[0]
				e.said("added", model.Ref{Kind: model.KindEnvironment, Name: env.Name})
				if err := flags.set(cmd, env); err != nil {
					return err
				}
				return e.AddEnvironment(env)
			})
		},
	}
	cmd.Flags().StringVar(&copied, "copy-from", "", "begin as the environment `ENV` is")
	_ = cmd.RegisterFlagCompletionFunc("copy-from", command.CompleteValue(streams, model.KindEnvironment))
	flags.add(cmd, streams)
	write.Add(cmd)
	return cmd
}

func newUpdateEnvironment(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags environmentFlags
		guard command.GuardFlag
	)
	cmd := &cobra.Command{
		Use:     "env NAME",
		Aliases: []string{string(model.KindEnvironment)},
		Short:   "Change an environment",
		Long: "Change an environment: a flag that is given replaces the value, an empty value clears it, and what no flag names stays.\n" +
			"--parameter, --variable, --data and --storage set one value each; --api replaces the list of APIs.\n" +
			"A guarded environment wants its name typed: --confirm NAME, or in a terminal the answer to a question.",
		Example: "  gatewright update env dev --variable books.LOG=debug --unset-parameter pool\n" +
			"  gatewright update env prod --guarded=false --confirm prod",
		Args: command.Arguments("the NAME of an environment"), ValidArgsFunction: command.CompleteNames(streams, model.KindEnvironment),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !anyGiven(cmd, append(environmentFlagNames, changedEnvironment...)...) {
				return nothingGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.said("updated", model.Ref{Kind: model.KindEnvironment, Name: args[0]})
				have, err := command.NamedEnvironment(e.Backend, args[0])
				if err != nil {
					return err
				}
				env := *have
				if err := flags.unset(&env); err != nil {
					return err
				}
				if err := flags.set(cmd, &env); err != nil {
					return err
				}
				e.guarded(guard, have, "update it")
				return e.UpdateEnvironment(&env)
			})
		},
	}
	flags.add(cmd, streams)
	flags.addChanges(cmd)
	guard.Add(cmd)
	write.Add(cmd)
	return cmd
}

// forgetDeployment has what was deployed of an environment forgotten as soon as
// the edit is written, and says so; next is what to do then. An environment that
// is being pushed at the moment is refused.
func (e *editing) forgetDeployment(env *model.Environment, next string) error {
	if e.from.Layout != project.Native {
		return nil
	}
	stack := deploy.StackOf(e.from.Backend, env)
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
