//go:build unix

package process

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Group is a process and everything that it starts in its group of processes.
type Group struct{ process *os.Process }

// StartGroup starts a process as the leader of a group.
func StartGroup(cmd *exec.Cmd) (*Group, error) {
	cmd.SysProcAttr = confine()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &Group{cmd.Process}, nil
}

// Kill kills the process and everything in its group.
func (g *Group) Kill() {
	if syscall.Kill(-g.process.Pid, syscall.SIGKILL) != nil {
		_ = g.process.Kill()
	}
}

// Close kills what is left of the group. The process has ended and is waited for.
func (g *Group) Close() { g.Kill() }

// ExitText returns the end of a process in Lambda's words: "exit status 3", "signal: killed".
func ExitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok {
		return ExitWords(status)
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}

// ExitWords returns the end of a process that another one has waited for.
func ExitWords(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprintf("signal: %s", status.Signal())
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}
