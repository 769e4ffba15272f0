// Package command is what commands are made of: streams, exit codes, arguments,
// flags that several commands have, completion, and how a command asks and prints.
package command

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
	"gatewright/spelling"
)

// Streams are where a command reads and writes, and the folder it runs in.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Dir      string
}

// Arguments checks how many arguments a command got; names say what they are.
func Arguments(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return Misuse("%s needs %s; see: %s --help", cmd.CommandPath(), names[len(args)], cmd.CommandPath())
		}
		if len(args) > len(names) {
			return Misuse("%s takes no argument %s; see: %s --help", cmd.CommandPath(), model.Quote(args[len(names)]), cmd.CommandPath())
		}
		return nil
	}
}

// Optional checks that a command got one argument at most; name says what it is.
func Optional(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return Arguments(name)(cmd, args)
	}
}

// Group makes cmd a command that does nothing but group others, in the order in
// which help shows them.
func Group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = RunGroup
	cmd.AddCommand(commands...)
	return cmd
}

// RunGroup shows the commands of a group, or says which one was meant.
func RunGroup(cmd *cobra.Command, args []string) error {
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
		return Misuse("%s has no command %s; did you mean %s?", cmd.CommandPath(), model.Quote(args[0]), near)
	}
	return Misuse("%s has no command %s; there is %s", cmd.CommandPath(), model.Quote(args[0]), strings.Join(known, ", "))
}
