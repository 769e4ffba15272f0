//go:build unix

package function

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// group is a process and everything that it starts in its group of processes.
type group struct{ process *os.Process }

// startGroup starts a process as the leader of a group.
func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = confine()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{cmd.Process}, nil
}

// Kill kills the process and everything in its group.
func (g *group) Kill() {
	if syscall.Kill(-g.process.Pid, syscall.SIGKILL) != nil {
		_ = g.process.Kill()
	}
}

// Close kills what is left of the group. The process has ended and is waited for.
func (g *group) Close() { g.Kill() }

// exitText returns the end of a process in Lambda's words: "exit status 3", "signal: killed".
func exitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok {
		return exitWords(status)
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}

// exitWords returns the end of a process that another one has waited for.
func exitWords(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprintf("signal: %s", status.Signal())
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}
