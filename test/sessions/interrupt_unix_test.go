//go:build !windows

package sessions

import (
	"os"
	"os/exec"
)

// systemPrograms are programs for sessions that only one system needs.
var systemPrograms map[string]func()

func makeInterruptible(*exec.Cmd) {}

func sendInterrupt(process *os.Process) error { return process.Signal(os.Interrupt) }
