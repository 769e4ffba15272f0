//go:build unix && !linux

package function

import "syscall"

// confine makes the process the leader of a group. The bootstraps end by
// themselves when the sandbox is gone: their connection is closed.
func confine() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func holdThread() {}

// maxMemory is not told by this system while a process runs.
func maxMemory(int) int { return 0 }

// killStrays knows no other process's variables on this system.
func killStrays(string) int { return 0 }
