package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gatewright/model"
)

// groupOf makes cmd a command that does nothing but group others, in the order in
// which help shows them.
func groupOf(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = runGroup
	cmd.AddCommand(commands...)
	return cmd
}

// runGroup shows the commands of a group, or says which one was meant.
func runGroup(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	if near := model.Nearest(args[0], slices.Sorted(slices.Values(known))); near != "" {
		return misuse("%s has no command %s; did you mean %s?", cmd.CommandPath(), model.Quote(args[0]), near)
	}
	return misuse("%s has no command %s; there is %s", cmd.CommandPath(), model.Quote(args[0]), strings.Join(known, ", "))
}

// withoutFiles lets the shell offer no names of files to commands that take none.
func withoutFiles(commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	}
	return commands
}
