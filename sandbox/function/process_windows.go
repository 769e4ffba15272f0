package function

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// confine gives the process its own group and no window.
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func holdThread() {}

func maxMemory(int) int { return 0 }

func killStrays(string) int { return 0 }

// killGroup kills a process and everything that it started.
func killGroup(process *os.Process) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(process.Pid)).Run()
	process.Kill()
}

// exitText returns the end of a process in Lambda's words: "exit status 3".
func exitText(state *os.ProcessState) string {
	if state == nil {
		return "unknown"
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
