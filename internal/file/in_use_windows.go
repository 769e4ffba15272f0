package file

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// OpenRoot is os.OpenRoot for a folder that others may rename and remove meanwhile: a folder that is opened
// by its parent is shared for that, and one that is opened by its path is not.
func OpenRoot(folder string) (*os.Root, error) {
	if full, err := filepath.Abs(folder); err == nil {
		if parent, err := os.OpenRoot(filepath.Dir(full)); err == nil {
			root, err := parent.OpenRoot(filepath.Base(full))
			_ = parent.Close()
			if err == nil {
				return root, nil
			}
		}
	}
	return os.OpenRoot(folder)
}

// Numbers of errors of Windows,
// https://learn.microsoft.com/windows/win32/debug/system-error-codes--0-499-
const (
	sharingViolation = syscall.Errno(32)
	lockViolation    = syscall.Errno(33)
)

// IsInUse reports whether an operation failed because a file is in use, which may pass. It
// may also be refused for good: "access denied" is said of a file that may not be
// written, and of one that is open or about to be gone.
func IsInUse(err error) bool {
	return errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}
