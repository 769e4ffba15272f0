package cloud

import (
	"slices"

	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/deploy/account"
	"gatewright/deploy/index"
)

// CompleteProfile completes the name of a profile of AWS with those of this machine.
func CompleteProfile(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	profiles, _ := account.Profiles()
	return command.Offered(profiles, typed), cobra.ShellCompDirectiveNoFileComp
}

// CompleteDeployed completes a value with what value says of each local deployment of this
// machine. Stacks of AWS would take a request.
func CompleteDeployed(streams command.Streams, value func(index.Entry) string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		entries, _ := index.OfUserIn(streams.Getenv).List()
		var words []string
		for _, e := range entries {
			words = append(words, value(e))
		}
		slices.Sort(words)
		return command.Offered(slices.Compact(words), typed), cobra.ShellCompDirectiveNoFileComp
	}
}
