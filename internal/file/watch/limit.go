package watch

import (
	"errors"
	"syscall"
)

// RefusedError is why files are scanned instead of being watched.
type RefusedError struct {
	// Why is what the system refuses, with the limit, and Fix how to raise that.
	Why, Fix string
}

// Error is both in one line.
func (e *RefusedError) Error() string { return e.Why + "; " + e.Fix }

// isLimit reports whether an error of the system is about a limit.
func isLimit(err error) bool {
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return false
}
