//go:build unix && !linux

package function

import "syscall"

// confine makes the process the leader of a group. The bootstraps end by themselves
// when the sandbox ends, because that closes their connection.
func confine() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func holdThread() {}

// MeasuresMemory says that the memory of a running process is known on this system.
const MeasuresMemory = false

// usedMemory is unknown: these systems do not report it for a running process.
func (g *group) usedMemory(known int, _ bool) int { return known }

func (g *group) sharedMemory(int) (now int, several bool) { return 0, false }

// killStrays does nothing: these systems do not show a process's variables.
func killStrays(string) int { return 0 }
