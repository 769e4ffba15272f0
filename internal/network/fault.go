// Package network tells why a connection failed, on every system: the numbers of package
// syscall for that are not those that Windows gives. [Pause] waits between two tries.
package network

import (
	"errors"
	"syscall"
)

// Refused reports whether nothing listens where somebody wanted to connect.
func Refused(err error) bool { return isAny(err, refused) }

// Reset reports whether the other side, or the system, ended a connection.
func Reset(err error) bool { return isAny(err, reset) }

// InUse reports whether listening failed because another program listens there.
func InUse(err error) bool { return isAny(err, inUse) }

// Forbidden reports whether listening failed because this user may not listen there, or
// because the system keeps the port for itself, as Windows does with many.
func Forbidden(err error) bool { return isAny(err, forbidden) }

// Exhausted reports whether there is no room for another connection at the moment.
func Exhausted(err error) bool { return isAny(err, exhausted) }

func isAny(err error, numbers []syscall.Errno) bool {
	for _, number := range numbers {
		if errors.Is(err, number) {
			return true
		}
	}
	return false
}
