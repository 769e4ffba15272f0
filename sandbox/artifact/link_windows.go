package artifact

import (
	"os/exec"

	"gatewright/internal/process"
)

// linkFolder makes a junction, which any user may make, unlike a symbolic link
// (https://learn.microsoft.com/windows-server/administration/windows-commands/mklink).
func linkFolder(folder, at string) error {
	return process.Guard(exec.Command("cmd", "/c", "mklink", "/J", at, folder)).Run()
}
