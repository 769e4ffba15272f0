package process

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Group is a process and everything that it starts. On Windows that is a job: the system
// ends it when its last handle is closed, so also when this process is killed. The process
// is put into the job right after its start; what it had started before would be outside.
type Group struct {
	process *os.Process

	mu  sync.Mutex
	job windows.Handle // 0: there is no job, or it was closed
}

// StartGroup starts a process with a group of signals of its own, because ctrl+c is for
// this process alone, and with no window.
func StartGroup(cmd *exec.Cmd) (*Group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
	if err := Guard(cmd).Start(); err != nil {
		return nil, err
	}
	return &Group{process: cmd.Process, job: jobOf(cmd.Process)}, nil
}

// jobOf puts a process into a new job. It returns 0 if the system refuses that.
func jobOf(process *os.Process) windows.Handle {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		unknown := process.WithHandle(func(handle uintptr) {
			err = windows.AssignProcessToJobObject(job, windows.Handle(handle))
		})
		if unknown == nil && err == nil {
			return job
		}
	}
	_ = windows.CloseHandle(job)
	return 0
}

// Kill ends the process and everything that it started.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job == 0 || windows.TerminateJobObject(g.job, 1) != nil {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(g.process.Pid)).Run()
	}
	_ = g.process.Kill()
}

// Close ends what is left of the group. The process has ended and is waited for.
func (g *Group) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		_ = windows.CloseHandle(g.job)
		g.job = 0
	}
}

// processMemory is PROCESS_MEMORY_COUNTERS of the Windows API.
type processMemory struct {
	size, pageFaults               uint32
	peakWorkingSet, workingSet     uintptr
	peakPagedPool, pagedPool       uintptr
	peakNonPagedPool, nonPagedPool uintptr
	pagefile, peakPagefile         uintptr
}

var getProcessMemory = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// PeakMemory returns the peak memory of the process in KB, 0 if it is unknown.
func (g *Group) PeakMemory() int {
	var used processMemory
	used.size = uint32(unsafe.Sizeof(used))
	known := false
	err := g.process.WithHandle(func(handle uintptr) {
		ok, _, _ := getProcessMemory.Call(handle, uintptr(unsafe.Pointer(&used)), uintptr(used.size))
		known = ok != 0
	})
	if err != nil || !known {
		return 0
	}
	return int((used.peakWorkingSet + 1<<10 - 1) >> 10)
}

// HoldThread does nothing: here a process does not depend on the thread that started it.
func HoldThread() {}

// KillStrays has nothing to kill: nothing leaves a job.
func KillStrays(string) int { return 0 }

// ExitText returns the end of a process in Lambda's words: "exit status 3". The system
// has large numbers for its own reasons, which are known in hexadecimal.
func ExitText(state *os.ProcessState) string {
	switch {
	case state == nil:
		return "unknown"
	case uint32(state.ExitCode()) >= 1<<16:
		return fmt.Sprintf("exit status %#x", uint32(state.ExitCode()))
	}
	return fmt.Sprintf("exit status %d", state.ExitCode())
}
