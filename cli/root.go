// Package cli is the command line: the tree of commands, whose groups are packages below
// it. A command parses its flags, calls other packages and prints. Results go to standard
// output, notes and problems to standard error. An error is one line.
package cli

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/design"
	"gatewright/cli/design/existing"
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
	root := NewRoot(streams, args...)
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		command.PlainUsages(root)
	}
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	cmd, err := root.ExecuteC()
	if err == nil && cmd.Flags().Changed("help") {
		err = command.Misnamed(cmd)
	}
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

// named is a command that is made when somebody asks for its name.
type named struct {
	name  string
	build func(command.Streams) *cobra.Command
}

// NewRoot makes the tree of commands. To make them all takes longer than most of them run: given a command
// line that begins with the name of one, it makes that one only.
func NewRoot(streams command.Streams, args ...string) *cobra.Command {
	streams.Tree = func() *cobra.Command { return NewRoot(streams) }
	root := &cobra.Command{
		Use:   "gatewright [COMMAND]",
		Short: "Build REST API backends, run them on your machine, deploy them",
		Example: `  gatewright init --name bookshop    # first: a project in this folder
  gatewright add api                 # then: an API, step by step in a terminal
  gatewright sandbox                 # and run it on this machine`,
		Long: `Build a REST API backend from your terminal: decide who may call what, run all
of it on your machine, deploy it to AWS. In a terminal, without a command, it
opens its screens.

In existing files it changes only the lines that you change. Each project is a folder of small JSON files and of the
source of its handlers.`,
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
	// The shell completes the names of files for these.
	withFiles := []string{"validate", "test", "prove", "review", "pipeline-deploy", "generate", "learn", "version"}
	addGroup := func(title string, commands ...named) {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
		for _, c := range commands {
			if len(args) > 0 && args[0] != c.name {
				continue
			}
			cmd := c.build(streams)
			cmd.GroupID = title
			if !slices.Contains(withFiles, c.name) {
				cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
			}
			root.AddCommand(cmd)
		}
	}
	addGroup("Define a backend:", named{"init", design.NewInit}, named{"import", existing.NewImport},
		named{"add", design.NewAdd}, named{"update", design.NewUpdate}, named{"rename", design.NewRename},
		named{"remove", design.NewRemove}, named{"apply", design.NewApply}, named{"migrate", existing.NewMigrate})
	addGroup("Inspect it:", named{"dashboard", newDashboard}, named{"status", ship.NewStatus},
		named{"routes", inspect.NewRoutes}, named{"can", inspect.NewCan}, named{"env", inspect.NewEnv},
		named{"function", inspect.NewFunction},
		named{"schema", inspect.NewSchema}, named{"validate", inspect.NewValidate}, named{"test", inspect.NewTest},
		named{"prove", inspect.NewProve}, named{"review", inspect.NewReview})
	addGroup("Run it:", named{"sandbox", run.NewSandbox}, named{"call", run.NewCall}, named{"logs", run.NewLogs},
		named{"metrics", run.NewMetrics}, named{"mock", run.NewMock}, named{"table", items.NewTable},
		named{"user", people.NewUser}, named{"token", people.NewToken})
	addGroup("Deploy it:", named{"push", ship.NewPush}, named{"template", ship.NewTemplate},
		named{"pipeline-deploy", ship.NewPipelineDeploy}, named{"generate", ship.NewGenerate})
	const rest = "Other commands:"
	addGroup(rest, named{"learn", newLearn}, named{"version", newVersion})
	if !root.HasSubCommands() {
		return NewRoot(streams)
	}
	root.SetHelpCommand(newHelp(streams))
	root.SetHelpCommandGroupID(rest)
	root.SetCompletionCommandGroupID(rest)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if command.Misnamed(cmd) == nil {
			_ = command.PrintText(streams.Out, command.Brief(cmd, command.WidthOf(streams.Out)))
		}
	})
	command.Completion(root, streams)
	return root
}

// newHelp makes the command help. The help of an unknown command is a usage error.
func newHelp(streams command.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show everything about a command: all flags, examples, exit codes",
		Example: command.Examples("help", "help add api", "help generate outputs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return command.RunGroup(target, rest)
			}
			return command.PrintText(streams.Out, command.Help(target, command.WidthOf(streams.Out)))
		},
	}
}
