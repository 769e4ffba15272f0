//go:build unix && !linux

package process

import "syscall"

// confine makes the process the leader of a group. The system does not end it with this process.
func confine() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// HoldThread does nothing: here a process does not depend on the thread that started it.
func HoldThread() {}

// PeakMemory is unknown: these systems do not report it for a running process.
func (g *Group) PeakMemory() int { return 0 }

// KillStrays does nothing: these systems do not show a process's variables.
func KillStrays(string) int { return 0 }
