package cli

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/inspect"
	"gatewright/cli/ship"
)

// reportCommands are the commands that look at a project.
func reportCommands(streams command.Streams) []*cobra.Command {
	return append(command.WithoutFiles(newDashboard(streams), ship.NewStatus(streams), inspect.NewRoutes(streams), inspect.NewCan(streams), inspect.NewEnv(streams), inspect.NewSchema(streams)), inspect.NewValidate(streams))
}

// deployCommands are the commands that deploy a project and write its client
// configuration file.
func deployCommands(streams command.Streams) []*cobra.Command {
	return append(command.WithoutFiles(ship.NewPush(streams)), ship.NewPipelineDeploy(streams), ship.NewGenerate(streams))
}
