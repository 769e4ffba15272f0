// Package command has what commands share: streams, exit codes, arguments, flags,
// completion, questions and reports.
//
// A command reads its arguments with [Arguments], and reports wrong usage with [Misuse] (exit
// code 2). One that writes files has [WriteFlags], for --dry-run, --diff and --json. A report
// is printed with [PrintText] and, for --json, [PrintJSON]: names in camelCase, every list
// present ([Listed]), and no report at all if the command fails. [WriteTable] prints tables,
// [Folded] long lines. A question is asked only if somebody is [Attended]; a [GuardFlag] is
// --confirm. [CompleteNames] completes the names of things, [EnvironmentOf] finds an environment.
package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/internal/text/phrase"
	"gatewright/internal/text/spelling"
)

// Arguments checks that a command gets one argument for each name.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return Misuse("%s needs %s; see: %s --help", cmd.CommandPath(), names[len(args)], cmd.CommandPath())
		}
		if len(args) > len(names) {
			if cmd.HasSubCommands() {
				return RunGroup(cmd, args)
			}
			return Misuse("%s does not take the argument %s; see: %s --help", cmd.CommandPath(), phrase.Quote(args[len(names)]),
				cmd.CommandPath())
		}
		return nil
	}
}

// Optional checks that a command gets at most one argument, which is called name.
func Optional(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return Arguments(name)(cmd, args)
	}
}

// Group makes cmd a group of commands, in the order in which help lists them.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	if cmd.DisableFlagsInUseLine = true; cmd.Use == cmd.Name() {
		cmd.Use += " COMMAND"
	}
	cmd.RunE = RunGroup
	cmd.AddCommand(commands...)
	return cmd
}

// Visible lists a command and all below it that help shows, each before those below it.
func Visible(cmd *cobra.Command) []*cobra.Command {
	commands := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			commands = append(commands, Visible(sub)...)
		}
	}
	return commands
}

// RunGroup shows the help of a group. An argument is the name of an unknown command, and an
// error.
func RunGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	names := commandNames(shown(cmd))
	name := "command " + phrase.Quote(args[0])
	switch near := spelling.Nearest(args[0], slices.Sorted(slices.Values(names))); {
	case near != "":
		meant, _, err := cmd.Find(append([]string{near}, args[1:]...))
		if err != nil {
			return err
		}
		return unknown(cmd, name+"; did you mean "+meant.CommandPath()+"?")
	case !cmd.HasParent():
		return unknown(cmd, name+"; list the commands with: gatewright --help")
	case names == nil:
		return unknown(cmd, name+"; see: gatewright help "+strings.TrimPrefix(cmd.CommandPath(), "gatewright "))
	}
	return unknown(cmd, name+"; its commands: "+strings.Join(names, ", "))
}

// commandNames lists the names of commands.
func commandNames(commands []*cobra.Command) (names []string) {
	for _, cmd := range commands {
		names = append(names, cmd.Name())
	}
	return names
}

// Misnamed is the error of a group that was given a word which is none of its commands; nil for
// other commands.
func Misnamed(cmd *cobra.Command) error {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return RunGroup(cmd, words)
	}
	return nil
}

// unknown is the error of a command line that names something which cmd does not have.
func unknown(cmd *cobra.Command, what string) error {
	if !cmd.HasParent() {
		return Misuse("there is no %s", what)
	}
	return Misuse("%s has no %s", cmd.CommandPath(), what)
}
