package cli

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/items"
	"gatewright/cli/people"
	"gatewright/cli/run"
)

// runCommands are the commands that run a project on this machine.
func runCommands(streams command.Streams) []*cobra.Command {
	return command.WithoutFiles(run.NewSandbox(streams), run.NewCall(streams), run.NewLogs(streams), run.NewMock(streams), items.NewTable(streams), people.NewUser(streams), people.NewToken(streams))
}
