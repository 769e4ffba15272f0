//go:build unix

package function

import (
	"fmt"
	"os"
	"syscall"
)

// killGroup kills a process and everything in its group.
func killGroup(process *os.Process) {
	if syscall.Kill(-process.Pid, syscall.SIGKILL) != nil {
		process.Kill()
	}
}

// exitText returns the end of a process in Lambda's words: "exit status 3", "signal: killed".
func exitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("signal: %s", status.Signal())
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
