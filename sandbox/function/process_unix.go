//go:build unix

package function

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// group is a process and everything that it starts. What leaves the group of processes is
// found only if the guardian process started it.
type group struct {
	pid int
	// The guardian process, or this process, started it; the other one is nil.
	child   guarded
	process *os.Process
}

// guarded is a process that the guardian process started.
type guarded interface{ Kill() }

// startGroup starts a process as the leader of a group.
func startGroup(cmd *exec.Cmd) (*group, error) {
	cmd.SysProcAttr = confine()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{pid: cmd.Process.Pid, process: cmd.Process}, nil
}

// kill kills the process and everything in its group.
func (g *group) kill() {
	if g.child != nil {
		g.child.Kill()
		return
	}
	if syscall.Kill(-g.pid, syscall.SIGKILL) != nil {
		g.process.Kill()
	}
}

// close kills what is left of the group. The process has ended and is waited for.
func (g *group) close() {
	if g.child == nil {
		g.kill()
		return
	}
	_ = syscall.Kill(-g.pid, syscall.SIGKILL)
}

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

func exitWords(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprintf("signal: %s", status.Signal())
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}
