package inuse

import (
	"errors"
	"syscall"
)

// Numbers of errors of Windows,
// https://learn.microsoft.com/windows/win32/debug/system-error-codes--0-499-
const (
	sharingViolation = syscall.Errno(32)
	lockViolation    = syscall.Errno(33)
)

// Is reports whether an operation failed because a file is in use, which may pass. It
// may also be refused for good: "access denied" is said of a file that may not be
// written, and of one that is open or about to be gone.
func Is(err error) bool {
	return errors.Is(err, sharingViolation) || errors.Is(err, lockViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
}
