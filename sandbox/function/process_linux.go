package function

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
)

// confine makes the process the leader of a group, and lets the system kill it when
// the sandbox is killed. The system does that when the thread that started the process
// ends, so one thread starts all processes (starter).
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the calling goroutine on its thread.
func holdThread() { runtime.LockOSThread() }

// maxMemory returns the peak memory of the process in MB, 0 if it is unknown.
func (g *group) maxMemory() int {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(g.process.Pid) + "/status")
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

// killStrays kills the processes with a variable of a worker, also those that left its
// group (with setsid), and returns their number.
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
