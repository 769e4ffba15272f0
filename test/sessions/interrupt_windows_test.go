package sessions

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// interrupter is a program that sends ctrl+c to the console of a process. It has to leave its
// own console for that, so the tests cannot do it themselves.
const interrupter = "interrupt-console"

var systemPrograms = map[string]func(){interrupter: interruptConsole}

// makeInterruptible gives a program a console of its own, without a window: ctrl+c goes to all
// programs of a console.
// https://learn.microsoft.com/en-us/windows/win32/procthread/process-creation-flags
func makeInterruptible(command *exec.Cmd) {
	const createNoWindow = 0x08000000
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: createNoWindow}
}

// sendInterrupt sends ctrl+c, as a person would.
func sendInterrupt(process *os.Process) error {
	if out, err := exec.Command(interrupter, strconv.Itoa(process.Pid)).CombinedOutput(); err != nil {
		return fmt.Errorf("ctrl+c to process %d: %w %s", process.Pid, err, out)
	}
	return nil
}

// interruptConsole is the program interrupter.
// https://learn.microsoft.com/en-us/windows/console/generateconsolectrlevent
func interruptConsole() {
	pid, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	kernel := syscall.NewLazyDLL("kernel32.dll")
	// Without a console, the first one fails, which does not matter.
	_, _, _ = kernel.NewProc("FreeConsole").Call()
	if done, _, err := kernel.NewProc("AttachConsole").Call(uintptr(pid)); done == 0 {
		fail(err)
	}
	// This program is on that console now, and ignores what it sends.
	if done, _, err := kernel.NewProc("SetConsoleCtrlHandler").Call(0, 1); done == 0 {
		fail(err)
	}
	if done, _, err := kernel.NewProc("GenerateConsoleCtrlEvent").Call(syscall.CTRL_C_EVENT, 0); done == 0 {
		fail(err)
	}
}

func fail(err error) {
	fmt.Println(err)
	os.Exit(1)
}
