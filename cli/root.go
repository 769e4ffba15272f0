package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/tui/frame"
)

// Streams are where a command reads and writes, and the folder it runs in.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Dir      string
}

// Run carries out one command line, without the program's name, and returns the
// exit code.
func Run(args []string, streams Streams) int {
	root := newRoot(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.Execute()
	code := exitOf(err, streams)
	if errors.Is(err, frame.ErrEnded) {
		code = ExitInterrupted
	}
	return int(code)
}

func newRoot(streams Streams) *cobra.Command {
	// Help lists commands in the order in which a project is built.
	cobra.EnableCommandSorting = false
	root := &cobra.Command{
		Use:   "gatewright",
		Short: "Design REST API backends, run them on one machine, deploy them",
		Long: "gatewright designs the REST APIs of a backend (paths, handler functions, who may do what, environments),\n" +
			"writes their files, deploys them on this machine, and keeps what exists exactly as it is but for what you change.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	groupOf(root)
	var screens screenFlags
	screens.add(root)
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && hasScreen(streams) {
			return screens.show(streams, nil)
		}
		return runGroup(cmd, args)
	}
	root.SetFlagErrorFunc(flagError)
	addGroup(root, "Define a backend:", definitionCommands(streams))
	addGroup(root, "Look at it:", reportCommands(streams))
	addGroup(root, "Run it:", runCommands(streams))
	addGroup(root, "Deploy it:", deployCommands(streams))
	const rest = "The rest:"
	addGroup(root, rest, []*cobra.Command{newLearn(streams), newVersion()})
	root.SetHelpCommand(newHelp())
	root.SetHelpCommandGroupID(rest)
	root.SetCompletionCommandGroupID(rest)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		_ = printText(streams.Out, helpOf(cmd, widthOf(streams.Out)))
	})
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			groupOf(cmd)
		}
	}
	return root
}

// addGroup adds commands that help shows together, in the order given.
func addGroup(root *cobra.Command, title string, commands []*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, cmd := range commands {
		cmd.GroupID = title
	}
	root.AddCommand(commands...)
}

// newHelp is the command that shows the help of another; a command that does
// not exist is wrong use, as it is elsewhere.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return runGroup(target, rest)
			}
			return target.Help()
		},
	}
}

// arguments checks how many arguments a command got; names say what they are.
func arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return misuse("%s needs %s; see: %s --help", cmd.CommandPath(), names[len(args)], cmd.CommandPath())
		}
		if len(args) > len(names) {
			return misuse("%s takes no argument %s; see: %s --help", cmd.CommandPath(), model.Quote(args[len(names)]), cmd.CommandPath())
		}
		return nil
	}
}
