//go:build linux || darwin || freebsd

package frame

import (
	"os"
	"syscall"
)

// canSuspend reports whether a shell with job control started the program: one that
// takes the terminal when it stops, and has fg. Without one the system does not stop
// it, and Bubble Tea would wait for a signal that nobody sends.
func canSuspend() bool {
	own, err := syscall.Getpgid(0)
	if err != nil {
		return false
	}
	parent := os.Getppid()
	above, err := syscall.Getpgid(parent)
	return err == nil && above != own && session(parent) == session(0)
}

// session is the session of a process; 0 where it cannot be told.
func session(pid int) uintptr {
	id, _, errno := syscall.RawSyscall(syscall.SYS_GETSID, uintptr(pid), 0, 0)
	if errno != 0 {
		return 0
	}
	return id
}
