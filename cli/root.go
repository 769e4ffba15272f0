package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/project"
	"gatewright/spelling"
	"gatewright/tui/frame"
)

// Exit codes (design, "Commands").
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitDiffers     = 3
	ExitInterrupted = 130
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
	if err == nil {
		return ExitDone
	}
	if !errors.Is(err, errReported) {
		// A sentence that begins with the whole command says the program's name again.
		_, _ = fmt.Fprintln(streams.Err, "gatewright: "+strings.TrimPrefix(oneLine(err.Error()), "gatewright "))
		_, _ = io.WriteString(streams.Err, safe(project.StaleDiff(err), streams.Err))
	}
	var (
		usage  *usageError
		answer *answerError
	)
	switch {
	case errors.As(err, &usage):
		return ExitUsage
	case errors.As(err, &answer):
		return answer.exit()
	case errors.Is(err, errDiffers):
		return ExitDiffers
	case errors.Is(err, frame.ErrEnded), errors.Is(err, errInterrupted):
		return ExitInterrupted
	}
	return ExitFailed
}

// errReported is a failure whose reasons are printed already.
var errReported = errors.New("reported")

// usageError is a command line that cannot be carried out.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func misuse(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// oneLine keeps an error that quotes foreign text on its line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
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
	grouping(root)
	var screens screenFlags
	screens.add(root)
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && hasScreen(streams) {
			return screens.show(streams, nil)
		}
		return group(cmd, args)
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
			grouping(cmd)
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
				return group(target, rest)
			}
			return target.Help()
		},
	}
}

// grouping makes a command one that only groups others.
func grouping(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = group
	return cmd
}

// group shows the commands of a group, or says which one was meant.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	if near := spelling.Nearest(args[0], slices.Sorted(slices.Values(known))); near != "" {
		return misuse("%s has no command %s; did you mean %s?", cmd.CommandPath(), model.Quote(args[0]), near)
	}
	return misuse("%s has no command %s; there is %s", cmd.CommandPath(), model.Quote(args[0]), strings.Join(known, ", "))
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
