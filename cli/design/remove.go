package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/flow/session"
	"gatewright/model"
	"gatewright/model/edit"
)

// NewRemove makes the command remove.
func NewRemove(streams command.Streams) *cobra.Command {
	cmd := command.Group(&cobra.Command{Use: "remove", Short: "Remove something from the project"},
		newRemovePath(streams))
	for _, k := range namedKinds {
		cmd.AddCommand(newRemoveNamed(streams, k))
	}
	return cmd
}

func newRemoveNamed(streams command.Streams, k namedKind) *cobra.Command {
	var (
		write   editFlags
		guard   command.GuardFlag
		cascade bool
		keep    bool
	)
	line := "remove " + k.word + " " + k.example
	cmd := &cobra.Command{
		Use:               k.word + " NAME",
		Aliases:           k.aliases(),
		Short:             "Remove " + withArticle(k),
		Long:              "Remove " + withArticle(k) + ", with its files.",
		Example:           command.Examples(line+" --dry-run", line, line+" --diff"),
		Args:              command.Arguments("a NAME"),
		ValidArgsFunction: command.CompleteNames(streams, k.kind),
		RunE: func(_ *cobra.Command, args []string) error {
			of := model.Ref{Kind: k.kind, Name: args[0]}
			return write.change(streams, func(e *editing) error {
				e.describe("removed", of)
				env := e.Environment(of.Name)
				if err := edit.Remove(e.Backend, of, cascade); err != nil {
					return advise(err, model.ErrInUse, "change these first, or give --cascade to remove the references too")
				}
				removal, what := session.Removal{Of: of, Before: e.project.Backend, After: e.Backend}, "change it"
				if k.kind == model.KindEnvironment {
					what = "remove it"
				}
				for _, guarded := range removal.Guarded() {
					e.confirm(guard, guarded, what)
				}
				e.notes = append(e.notes, removal.Consequences()...)
				if k.kind == model.KindEnvironment {
					if env.Provider == model.AWS {
						return e.removeFromCloud(streams, env, guard, keep, write.DryRun)
					}
					return e.forgetDeployment(env, "")
				}
				return nil
			})
		},
	}
	if k.used {
		cmd.Long += ` If something refers to it, the command fails and lists what does;
with --cascade the references are removed too, and the report lists all changes.`
		cmd.Example = command.Examples(line+" --dry-run", line, line+" --cascade")
		cmd.Flags().BoolVar(&cascade, "cascade", false, "remove the references to it too")
	}
	if k.kind == model.KindEnvironment {
		cmd.Long += ` An environment in AWS is removed from AWS too, with its tables and users; a
guarded one keeps them. Type its name, or give it with --confirm. --keep-stack leaves the stack
in AWS as it is.`
		cmd.Example = command.Examples(line+" --dry-run", line+" --confirm qa", line+" --keep-stack")
		cmd.Flags().BoolVar(&keep, "keep-stack", false, "remove it from the project, and keep it in AWS")
	}
	if k.kind == model.KindEnvironment || k.kind == model.KindAPI || k.kind == model.KindFunction {
		guard.Add(cmd, streams)
	}
	write.Add(cmd)
	return cmd
}

func newRemovePath(streams command.Streams) *cobra.Command {
	var write editFlags
	cmd := &cobra.Command{
		Use:   "path API PATH",
		Short: "Remove a path from an API",
		Long: `Remove a path from an API. Its function stays. To remove the only path of an API, remove the API:
gatewright remove api`,
		Example: command.Examples("remove path shop /books", "remove path shop '/books/{isbn}' --dry-run",
			"remove path shop /books --diff"),
		Args:              command.Arguments("an API", "a PATH"),
		ValidArgsFunction: command.CompleteNames(streams, model.KindAPI, model.KindPath),
		RunE: func(_ *cobra.Command, args []string) error {
			return write.change(streams, func(e *editing) error {
				of := model.Ref{Kind: model.KindPath, API: args[0], Name: args[1]}
				e.describe("removed", of)
				return edit.Remove(e.Backend, of, false)
			})
		},
	}
	write.Add(cmd)
	return cmd
}
