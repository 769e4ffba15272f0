// Package design has the commands that change what a project defines: init, import, apply,
// migrate, and add, update, rename and remove of each kind of thing.
package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
	"gatewright/cli/design/existing"
)

// Commands returns the commands of this package.
func Commands(streams command.Streams) []*cobra.Command {
	add := command.Group(&cobra.Command{Use: "add", Short: "Add something to the project"},
		newAddAPI(streams), newAddPath(streams), newAddFunction(streams), newAddTable(streams),
		newAddEnvironment(streams), newAddGroup(streams), newAddOutput(streams), newAddTest(streams))
	update := command.Group(&cobra.Command{Use: "update", Short: "Change something of the project"},
		newUpdateAPI(streams), newUpdatePath(streams), newUpdateFunction(streams), newUpdateTable(streams),
		newUpdateEnvironment(streams), newUpdateGroup(streams), newUpdateOutput(streams),
		newUpdateAuth(streams), newUpdateData(streams), newUpdateStorage(streams), newUpdateProject(streams))
	rename := command.Group(&cobra.Command{Use: "rename", Short: "Rename something, with every reference to it"},
		newRenames(streams)...)
	remove := command.Group(&cobra.Command{Use: "remove", Short: "Remove something from the project"},
		newRemoves(streams)...)
	return []*cobra.Command{
		newInit(streams), existing.NewImport(streams), add, update, rename, remove, newApply(streams),
		existing.NewMigrate(streams),
	}
}
