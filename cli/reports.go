package cli

import "github.com/spf13/cobra"

// reportCommands are the commands that look at a project, deploy it and write
// its client configuration file.
func reportCommands(streams Streams) []*cobra.Command {
	return []*cobra.Command{newValidate(streams)}
}
