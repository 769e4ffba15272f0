// Package design has the commands that change what a project defines: init, import, apply,
// migrate, and add, update, rename and remove of each kind of thing.
package design

import (
	"github.com/spf13/cobra"

	"gatewright/cli/command"
)

// NewAdd makes the command add.
func NewAdd(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "add", Short: "Add something to the project"},
		newAddAPI(streams), newAddPath(streams), newAddFunction(streams), newAddTable(streams),
		newAddEnvironment(streams), newAddGroup(streams), newAddOutput(streams), newAddTest(streams))
}

// NewUpdate makes the command update.
func NewUpdate(streams command.Streams) *cobra.Command {
	return command.Group(&cobra.Command{Use: "update", Short: "Change something in the project"},
		newUpdateAPI(streams), newUpdatePath(streams), newUpdateFunction(streams), newUpdateTable(streams),
		newUpdateEnvironment(streams), newUpdateGroup(streams), newUpdateOutput(streams),
		newUpdateAuth(streams), newUpdateData(streams), newUpdateStorage(streams), newUpdateProject(streams))
}
