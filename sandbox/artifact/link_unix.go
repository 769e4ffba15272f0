//go:build !windows

package artifact

import "os"

// linkFolder makes a link to a folder.
func linkFolder(folder, at string) error { return os.Symlink(folder, at) }
