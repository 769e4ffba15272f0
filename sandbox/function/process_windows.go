package function

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// confine gives the process a group of its own, without a window.
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func holdThread() {}

func maxMemory(int) int { return 0 }

func killStrays(string) int { return 0 }

// killGroup ends a process and everything that it started, at once.
func killGroup(process *os.Process) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process.Pid)).Run()
	process.Kill()
}

// exitText is how the cloud tells an end: "exit status 3".
func exitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
