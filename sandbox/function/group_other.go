//go:build unix && !linux

package function

import "syscall"

// confine makes the process the leader of a group. The system does not end it with this process.
func confine() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// holdThread does nothing: here a process does not depend on the thread that started it.
func holdThread() {}

// peakMemory is unknown: these systems do not report it for a running process.
func (g *group) peakMemory() int { return 0 }

// killStrays does nothing: these systems do not show a process's variables.
func killStrays(string) int { return 0 }
