//go:build unix

package function

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// socketPair makes a connection whose other end a process is born with. A worker
// can wait on it in one call of the system, which it cannot on a TCP connection
// of its own runtime.
func socketPair() (own net.Conn, other *os.File, err error) {
	// No process that is started meanwhile may get either.
	syscall.ForkLock.RLock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, fmt.Errorf("making a pair of sockets: %w", err)
	}
	// Some systems make room for 8 KB. What there is otherwise does as well.
	_ = syscall.SetsockoptInt(ends[0], syscall.SOL_SOCKET, syscall.SO_SNDBUF, linkRoom)
	_ = syscall.SetsockoptInt(ends[1], syscall.SOL_SOCKET, syscall.SO_RCVBUF, linkRoom)
	mine := os.NewFile(uintptr(ends[0]), "runtime")
	other = os.NewFile(uintptr(ends[1]), "worker")
	own, err = net.FileConn(mine)
	mine.Close()
	if err != nil {
		other.Close()
		return nil, nil, fmt.Errorf("using a pair of sockets: %w", err)
	}
	return own, other, nil
}

// linkRoom is how many bytes may wait for a worker: two calls of mostAhead, and
// what the system counts beside them.
const linkRoom = 4 * mostAhead

// hangUp ends a connection whoever else has it.
func hangUp(other *os.File) {
	_ = syscall.Shutdown(int(other.Fd()), syscall.SHUT_RDWR)
}

// receive reads what there is to read at the other end, or only looks at it,
// without a wait.
func receive(other *os.File, p []byte, look bool) int {
	flags := syscall.MSG_DONTWAIT
	if look {
		flags |= syscall.MSG_PEEK
	}
	n, _, err := syscall.Recvfrom(int(other.Fd()), p, flags)
	if err != nil {
		return 0
	}
	return n
}
