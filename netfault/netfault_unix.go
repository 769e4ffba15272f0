//go:build !windows

package netfault

import "syscall"

var (
	refused   = []syscall.Errno{syscall.ECONNREFUSED}
	reset     = []syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	inUse     = []syscall.Errno{syscall.EADDRINUSE}
	forbidden = []syscall.Errno{syscall.EACCES, syscall.EPERM}
	exhausted = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS}
)
