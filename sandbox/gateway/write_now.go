//go:build linux || darwin

package gateway

import "golang.org/x/sys/unix"

// writeNow writes as many bytes of two texts, one after the other, as the socket takes without
// blocking, and returns how many.
func (c *conn) writeNow(first, second []byte) int {
	if c.raw == nil {
		return 0
	}
	n := 0
	c.raw.Write(func(fd uintptr) bool {
		if len(second) == 0 {
			n, _ = unix.Write(int(fd), first)
		} else {
			n, _ = unix.Writev(int(fd), [][]byte{first, second})
		}
		return true
	})
	return max(0, n)
}
