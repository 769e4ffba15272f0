package process

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// confine makes the process the leader of a group, and lets the system kill it when this process is killed.
// The system does that when the thread that started the process ends: see HoldThread.
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// HoldThread keeps the calling goroutine on its thread. The processes that it starts end with it.
func HoldThread() { runtime.LockOSThread() }

// KillStrays kills the processes with a variable, NAME=value, also those that left their
// group (with setsid), and returns their number.
func KillStrays(variable string) (killed int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	needle := []byte("\x00" + variable + "\x00")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), needle) {
			continue
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}
