package cli

import "github.com/spf13/cobra"

// definitionCommands are the commands that change what a project defines.
func definitionCommands(streams Streams) []*cobra.Command {
	add := kinds("add", "Add something to the project",
		newAddAPI(streams), newAddPath(streams), newAddFunction(streams), newAddTable(streams),
		newAddEnvironment(streams), newAddGroup(streams), newAddOutput(streams))
	update := kinds("update", "Change something of the project",
		newUpdateAPI(streams), newUpdatePath(streams), newUpdateFunction(streams), newUpdateTable(streams),
		newUpdateEnvironment(streams), newUpdateGroup(streams), newUpdateOutput(streams),
		newUpdateAuth(streams), newUpdateData(streams), newUpdateStorage(streams), newUpdateProject(streams))
	rename := kinds("rename", "Give something another name, wherever it is named", newRenames(streams)...)
	remove := kinds("remove", "Remove something from the project", newRemoves(streams)...)
	return withoutFiles(newInit(streams), add, update, rename, remove, newApply(streams), newMigrate(streams))
}

// kinds is a command that groups those of one verb, in the order in which a
// project is built.
func kinds(verb, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := grouping(&cobra.Command{Use: verb, Short: short})
	cmd.AddCommand(commands...)
	return cmd
}
