//go:build unix

package gateway

import "syscall"

// writeNow writes as many bytes as the socket takes without blocking, and returns how
// many.
func (c *conn) writeNow(p []byte) int {
	if c.raw == nil {
		return 0
	}
	n := 0
	c.raw.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), p)
		return true
	})
	return max(0, n)
}
