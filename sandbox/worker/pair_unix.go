//go:build unix

package worker

import (
	"fmt"
	"net"
	"os"
	"syscall"
)

// socketPair makes a connection whose other end a process inherits. A worker can wait
// on it in one system call, which Node.js cannot do with a TCP connection.
func socketPair() (own net.Conn, other *os.File, err error) {
	// Processes that are started meanwhile must not inherit the ends.
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
	// Some systems buffer only 8 KB. An error here costs only speed.
	_ = syscall.SetsockoptInt(ends[0], syscall.SOL_SOCKET, syscall.SO_SNDBUF, linkRoom)
	_ = syscall.SetsockoptInt(ends[1], syscall.SOL_SOCKET, syscall.SO_RCVBUF, linkRoom)
	_ = syscall.SetsockoptInt(ends[1], syscall.SOL_SOCKET, syscall.SO_SNDBUF, answerRoom)
	file := os.NewFile(uintptr(ends[0]), "runtime")
	other = os.NewFile(uintptr(ends[1]), "worker")
	own, err = net.FileConn(file)
	file.Close()
	if err != nil {
		other.Close()
		return nil, nil, fmt.Errorf("using a pair of sockets: %w", err)
	}
	return own, other, nil
}

// linkRoom is the size of the socket's buffers: two events of mostAhead, and the
// system's overhead.
const linkRoom = 4 * mostAhead

// answerRoom is how much of an answer the worker can write at once. Systems may give less.
const answerRoom = 1 << 20

// hangUp ends a connection, also for other processes that have it.
func hangUp(other *os.File) {
	_ = syscall.Shutdown(int(other.Fd()), syscall.SHUT_RDWR)
}

// receive reads at the worker's end without blocking; with peek the data stays there.
func receive(other *os.File, p []byte, peek bool) int {
	flags := syscall.MSG_DONTWAIT
	if peek {
		flags |= syscall.MSG_PEEK
	}
	n, _, err := syscall.Recvfrom(int(other.Fd()), p, flags)
	if err != nil {
		return 0
	}
	return n
}
