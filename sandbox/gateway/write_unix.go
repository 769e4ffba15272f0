//go:build unix

package gateway

import "syscall"

// writeNow writes as many bytes of two texts, one after the other, as the socket takes without
// blocking, and returns how many.
func (c *conn) writeNow(first, second []byte) int {
	if c.raw == nil {
		return 0
	}
	n := 0
	c.raw.Write(func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), first)
		if n == len(first) && len(second) > 0 {
			more, _ := syscall.Write(int(fd), second)
			n += max(0, more)
		}
		return true
	})
	return max(0, n)
}
