package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// errDiffers is the end of a command that was asked whether things differ, and
// has printed how they do.
var errDiffers = fmt.Errorf("different: %w", errReported)

// reportCommands are the commands that look at a project.
func reportCommands(streams Streams) []*cobra.Command {
	return append(withoutFiles(newDashboard(streams), newStatus(streams), newRoutes(streams), newCan(streams), newEnv(streams), newSchema(streams)), newValidate(streams))
}

// deployCommands are the commands that deploy a project and write its client
// configuration file.
func deployCommands(streams Streams) []*cobra.Command {
	return append(withoutFiles(newPush(streams)), newPipelineDeploy(streams), newGenerate(streams))
}

// withoutFiles lets the shell offer no names of files to commands that take none.
func withoutFiles(commands ...*cobra.Command) []*cobra.Command {
	for _, cmd := range commands {
		cmd.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	}
	return commands
}
