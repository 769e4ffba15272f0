package cli

import "github.com/spf13/cobra"

// definitionCommands are the commands that change what a project defines.
func definitionCommands(streams Streams) []*cobra.Command {
	add := groupOf(&cobra.Command{Use: "add", Short: "Add something to the project"},
		newAddAPI(streams), newAddPath(streams), newAddFunction(streams), newAddTable(streams),
		newAddEnvironment(streams), newAddGroup(streams), newAddOutput(streams))
	update := groupOf(&cobra.Command{Use: "update", Short: "Change something of the project"},
		newUpdateAPI(streams), newUpdatePath(streams), newUpdateFunction(streams), newUpdateTable(streams),
		newUpdateEnvironment(streams), newUpdateGroup(streams), newUpdateOutput(streams),
		newUpdateAuth(streams), newUpdateData(streams), newUpdateStorage(streams), newUpdateProject(streams))
	rename := groupOf(&cobra.Command{Use: "rename", Short: "Give something another name, wherever it is named"}, newRenames(streams)...)
	remove := groupOf(&cobra.Command{Use: "remove", Short: "Remove something from the project"}, newRemoves(streams)...)
	return withoutFiles(newInit(streams), add, update, rename, remove, newApply(streams), newMigrate(streams))
}
