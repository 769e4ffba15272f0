//go:build !windows

package file

import "os"

// OpenRoot is os.OpenRoot.
func OpenRoot(folder string) (*os.Root, error) { return os.OpenRoot(folder) }

// IsInUse reports whether an operation failed because a file is in use, which may pass.
func IsInUse(error) bool { return false }
