//go:build !windows

package network

import "syscall"

var (
	refused   = []syscall.Errno{syscall.ECONNREFUSED}
	reset     = []syscall.Errno{syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE}
	inUse     = []syscall.Errno{syscall.EADDRINUSE}
	forbidden = []syscall.Errno{syscall.EACCES, syscall.EPERM}
	exhausted = []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS}
)
