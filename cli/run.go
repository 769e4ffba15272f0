package cli

import "github.com/spf13/cobra"

// runCommands are the commands that run a project on this machine.
func runCommands(streams Streams) []*cobra.Command {
	return withoutFiles(newSandbox(streams), newCall(streams), newLogs(streams), newMock(streams), newTable(streams), newUser(streams), newToken(streams))
}
