//go:build !windows

package sessions

import (
	"os"
	"os/exec"
)

func makeInterruptible(*exec.Cmd) {}

func sendInterrupt(process *os.Process) error { return process.Signal(os.Interrupt) }
