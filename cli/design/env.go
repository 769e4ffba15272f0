package design

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/index"
	"gatewright/internal/text/phrase"
	"gatewright/model"
	"gatewright/model/edit"
	"gatewright/project"
)

func newAddEnvironment(streams command.Streams) *cobra.Command {
	var (
		write  editFlags
		copied string
	)
	cmd := &cobra.Command{
		Use:     "env NAME",
		Aliases: []string{string(model.KindEnvironment)},
		Short:   "Add an environment: a copy of the backend, deployed separately",
		Long: `Add an environment: a copy of the backend that is deployed separately, to this machine or to AWS.
Its name is the stage segment of its URLs.

An environment has every API, unless --api lists some. --copy-from starts with the values of another environment,
except its branch and its guard.`,
		Example: command.Examples("add env qa --branch release --variable books.LOG=debug",
			"add env prod --provider aws --region eu-west-1 --guarded", "add env demo --copy-from prod --api shop"),
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
				e.describe("added", model.Ref{Kind: model.KindEnvironment, Name: env.Name})
				if err := setEnvironment(cmd, env); err != nil {
					return err
				}
				return edit.AddEnvironment(e.Backend, env)
			})
		},
	}
	cmd.Flags().StringVar(&copied, "copy-from", "", "start with the values of the environment `ENV`")
	_ = cmd.RegisterFlagCompletionFunc("copy-from", command.CompleteValue(streams, model.KindEnvironment))
	addFieldFlags(cmd, &model.Environment{}, environmentFlags(streams))
	write.Add(cmd)
	return cmd
}

func newUpdateEnvironment(streams command.Streams) *cobra.Command {
	var (
		write editFlags
		flags environmentChanges
		guard command.GuardFlag
	)
	cmd := &cobra.Command{
		Use:     "env NAME",
		Aliases: []string{string(model.KindEnvironment)},
		Short:   "Change an environment",
		Long: `Change an environment. A flag replaces a value, an empty value clears it, and what has no flag
stays.

--parameter, --variable, --data and --storage set one value each; --api replaces the list of APIs. A guarded
environment changes only if you give its name: with --confirm NAME, or typed in a terminal.`,
		Example: command.Examples("update env dev --variable books.LOG=debug --unset-parameter pool",
			"update env prod --region eu-west-1 --confirm prod", "update env prod --guarded=false --confirm prod"),
		Args:              command.Arguments("the NAME of an environment"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindEnvironment),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !fieldsGiven(cmd, &model.Environment{}) && !anyGiven(cmd, "all-apis", "unset-parameter", "unset-variable") {
				return noChangeGiven(cmd)
			}
			return write.change(streams, func(e *editing) error {
				e.describe("updated", model.Ref{Kind: model.KindEnvironment, Name: args[0]})
				have, err := command.NamedEnvironment(e.Backend, args[0])
				if err != nil {
					return err
				}
				env := *have
				if err := flags.set(cmd, &env); err != nil {
					return err
				}
				if err := setEnvironment(cmd, &env); err != nil {
					return err
				}
				e.confirm(guard, have, "update it")
				return edit.UpdateEnvironment(e.Backend, &env)
			})
		},
	}
	addFieldFlags(cmd, &model.Environment{}, environmentFlags(streams))
	flags.add(cmd, streams)
	guard.Add(cmd, streams)
	write.Add(cmd)
	return cmd
}

// forgetDeployment removes the record of an environment's deployment after the edit is
// written, and notes it; next ends the note with what to do then. It fails while the
// environment is being pushed.
func (e *editing) forgetDeployment(env *model.Environment, next string) error {
	if e.project.Foreign() {
		return nil
	}
	stack := index.StackOf(e.project.Backend, env)
	record, err := project.ReadRecord(e.project.Root, env.Name)
	switch {
	case errors.Is(err, project.ErrNeverDeployed):
		return nil
	case errors.Is(err, project.ErrDeploying):
		return err
	case err == nil:
		stack = record.Stack
	}
	name := phrase.Quote(env.Name)
	e.note("gatewright forgets the deployment of environment %s, stack %s%s", name, phrase.QuotePath(stack), next)
	e.afterwards = func() error {
		err := e.project.Undeploy(env.Name)
		if err == nil {
			err = index.OfUserIn(e.streams.Getenv).ForgetOf(e.project.Root, env.Name, stack)
		}
		if err != nil {
			return fmt.Errorf("the change is written, but the deployment of environment %s could not be forgotten: %w", name,
				err)
		}
		return nil
	}
	return nil
}
