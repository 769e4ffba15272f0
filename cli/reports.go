package cli

import (
	"github.com/spf13/cobra"
)

// reportCommands are the commands that look at a project.
func reportCommands(streams Streams) []*cobra.Command {
	return append(withoutFiles(newDashboard(streams), newStatus(streams), newRoutes(streams), newCan(streams), newEnv(streams), newSchema(streams)), newValidate(streams))
}

// deployCommands are the commands that deploy a project and write its client
// configuration file.
func deployCommands(streams Streams) []*cobra.Command {
	return append(withoutFiles(newPush(streams)), newPipelineDeploy(streams), newGenerate(streams))
}
