// Package cli is the command line: the tree of commands, whose groups are packages below
// it. A command parses its flags, calls other packages and prints. Results go to standard
// output, notes and problems to standard error. An error is one line.
package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/design"
	"gatewright/cli/inspect"
	"gatewright/cli/items"
	"gatewright/cli/people"
	"gatewright/cli/run"
	"gatewright/cli/screen"
	"gatewright/cli/ship"
	"gatewright/tui/frame"
)

// Run runs a command line, given without the program's name, and returns the exit code.
func Run(args []string, streams command.Streams) int {
	root := NewRoot(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.Execute()
	if errors.Is(err, frame.ErrStalled) {
		return int(command.ExitInterrupted)
	}
	code := command.ExitOf(err, streams)
	if errors.Is(err, frame.ErrEnded) {
		code = command.ExitInterrupted
	}
	return int(code)
}

// Help lists commands in the order in which a project is built.
func init() { cobra.EnableCommandSorting = false }

// NewRoot makes the tree of commands.
func NewRoot(streams command.Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "gatewright",
		Short: "Design REST API backends, run them on one machine, deploy them",
		Long: "gatewright designs the REST APIs of a backend (paths, handler functions, access, environments), writes " +
			"their files,\n" +
			"runs them on this machine and deploys them, here or to AWS. In existing files it changes only what you change.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	command.Group(root)
	var (
		screens screen.Flags
		version bool
	)
	screens.Add(root, streams)
	root.Flags().BoolVar(&version, "version", false, "show the version of gatewright")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if version {
			return command.PrintText(streams.Out, currentVersions().line())
		}
		if len(args) == 0 && screen.Available(streams) {
			return screens.Show(streams, nil)
		}
		if len(args) == 0 {
			if err := screen.GitBash(streams); err != nil {
				return err
			}
		}
		return command.RunGroup(cmd, args)
	}
	root.SetFlagErrorFunc(command.FlagError)
	addGroup(root, "Define a backend:", withoutFiles(design.Commands(streams)...)...)
	addGroup(root, "Inspect it:", append(withoutFiles(
		newDashboard(streams), ship.NewStatus(streams), inspect.NewRoutes(streams), inspect.NewCan(streams),
		inspect.NewEnv(streams), inspect.NewSchema(streams),
	), inspect.NewValidate(streams), inspect.NewTest(streams), inspect.NewProve(streams), inspect.NewReview(streams))...)
	addGroup(root, "Run it:", withoutFiles(
		run.NewSandbox(streams), run.NewCall(streams), run.NewLogs(streams), run.NewMetrics(streams), run.NewMock(streams),
		items.NewTable(streams), people.NewUser(streams), people.NewToken(streams),
	)...)
	addGroup(root, "Deploy it:",
		append(withoutFiles(ship.NewPush(streams), ship.NewTemplate(streams)), ship.NewPipelineDeploy(streams),
			ship.NewGenerate(streams))...)
	const rest = "Other commands:"
	addGroup(root, rest, newLearn(streams), newVersion())
	root.SetHelpCommand(newHelp())
	root.SetHelpCommandGroupID(rest)
	root.SetCompletionCommandGroupID(rest)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_ = command.PrintText(streams.Out, command.Help(cmd, command.WidthOf(streams.Out)))
	})
	command.Completion(root, streams)
	return root
}

// addGroup adds commands that help shows together, in the order given.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
	}
	root.AddCommand(commands...)
}

// withoutFiles stops the shell from completing file names for commands that take none.
func withoutFiles(commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	}
	return commands
}

// newHelp makes the command help. The help of an unknown command is a usage error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return command.RunGroup(target, rest)
			}
			return target.Help()
		},
	}
}
