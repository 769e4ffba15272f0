package sessions

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// makeInterruptible makes a process group of a program: Windows interrupts groups only.
func makeInterruptible(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// sendInterrupt sends ctrl+break, since a new group does not get ctrl+c. To a program in Go
// both are os.Interrupt.
// https://learn.microsoft.com/en-us/windows/console/generateconsolectrlevent
func sendInterrupt(process *os.Process) error {
	generate := syscall.NewLazyDLL("kernel32.dll").NewProc("GenerateConsoleCtrlEvent")
	if sent, _, err := generate.Call(syscall.CTRL_BREAK_EVENT, uintptr(process.Pid)); sent == 0 {
		return fmt.Errorf("ctrl+break to process %d: %w", process.Pid, err)
	}
	return nil
}
