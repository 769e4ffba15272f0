// Package network tells why a connection failed, on every system: the numbers of package
// syscall for that are not those that Windows gives. [Pause] waits between two tries.
package network

import (
	"errors"
	"io"
	"net"
	"syscall"
)

// Refused reports whether nothing listens where somebody wanted to connect.
func Refused(err error) bool { return isAny(err, refused) }

// Reset reports whether the other side, or the system, ended a connection.
func Reset(err error) bool { return isAny(err, reset) }

// Ended reports whether a connection ended before the whole answer had come. A client that
// is still writing its request meanwhile gets [net.ErrClosed], of its own end.
func Ended(err error) bool {
	return Reset(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

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
