//go:build linux || darwin || freebsd

package frame

import (
	"os"
	"syscall"
)

// canSuspend reports whether a shell with job control started the program. Without one
// the kernel does not stop the process on SIGTSTP (its process group is orphaned), and
// Bubble Tea would wait for a SIGCONT that nobody sends.
func canSuspend() bool {
	own, err := syscall.Getpgid(0)
	if err != nil {
		return false
	}
	parent := os.Getppid()
	above, err := syscall.Getpgid(parent)
	return err == nil && above != own && session(parent) == session(0)
}

// session is the session ID of a process; 0 if it is unknown.
func session(pid int) uintptr {
	id, _, errno := syscall.RawSyscall(syscall.SYS_GETSID, uintptr(pid), 0, 0)
	if errno != 0 {
		return 0
	}
	return id
}
