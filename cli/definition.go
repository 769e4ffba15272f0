package cli

import "github.com/spf13/cobra"

// definitionCommands are the commands that change what a project defines.
func definitionCommands(streams Streams) []*cobra.Command {
	return []*cobra.Command{newInit(streams), newAdd(streams), newMigrate(streams)}
}
