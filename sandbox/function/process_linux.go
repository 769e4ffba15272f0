package function

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// confine makes the process the leader of a group, and lets the system end it
// when the sandbox is killed. That signal is sent when the thread that started the
// process ends, so processes are started from one thread (starter).
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the caller on a thread that lives as long as it does.
func holdThread() { runtime.LockOSThread() }

// maxMemory is the most memory that a process has used, in MB.
func maxMemory(pid int) int {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, ok := bytes.Cut(status, []byte("VmHWM:"))
	if !ok {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, err := strconv.Atoi(string(fields[0]))
	if err != nil {
		return 0
	}
	return (kilobytes + 1023) / 1024
}

// killStrays ends the processes that have a variable of a worker, also those that
// left its group (they called setsid), and reports how many there were.
func killStrays(variable string) (killed int) {
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
