//go:build unix

package function

import (
	"fmt"
	"os"
	"syscall"
)

// killGroup ends a process and everything that it started, at once.
func killGroup(process *os.Process) {
	if syscall.Kill(-process.Pid, syscall.SIGKILL) != nil {
		process.Kill()
	}
}

// exitText is how the cloud tells an end: "exit status 3", "signal: killed".
func exitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("signal: %s", status.Signal())
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
