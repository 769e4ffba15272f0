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
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = RunGroup
	cmd.AddCommand(commands...)
	return cmd
}

// Visible lists a command and all below it that help shows, each before those below it.
func Visible(cmd *cobra.Command) []*cobra.Command {
	commands := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && !sub.IsAdditionalHelpTopicCommand() {
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
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := spelling.Nearest(args[0], slices.Sorted(slices.Values(names))); near != "" {
		return unknown(cmd, "command "+phrase.Quote(args[0])+"; did you mean "+near+"?")
	}
	if !cmd.HasParent() {
		return unknown(cmd, "command "+phrase.Quote(args[0])+"; list the commands with: gatewright --help")
	}
	return unknown(cmd, "command "+phrase.Quote(args[0])+"; its commands: "+strings.Join(names, ", "))
}

// unknown is the error of a command line that names something which cmd does not have.
func unknown(cmd *cobra.Command, what string) error {
	if !cmd.HasParent() {
		return Misuse("there is no %s", what)
	}
	return Misuse("%s has no %s", cmd.CommandPath(), what)
}
