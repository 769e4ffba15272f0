//go:build linux

package guardian

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// killBelow kills the processes that descend from a process, as seen once.
func killBelow(pid int, seen map[int]bool) {
	if seen == nil {
		seen = map[int]bool{pid: true}
	}
	for _, child := range Children(pid) {
		if seen[child] {
			continue
		}
		seen[child] = true
		killBelow(child, seen)
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}

// endAll kills everything below this process until nothing is left. What a killed process
// leaves behind becomes a child of this one, so it is seen the next time.
func endAll() {
	const pause = time.Millisecond
	for {
		killBelow(os.Getpid(), nil)
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil); {
		case err == syscall.ECHILD:
			return
		case err == nil && pid == 0:
			time.Sleep(pause)
		}
	}
}

// Children returns the processes whose parent is a process. It is empty if that has ended.
func Children(pid int) (found []int) {
	tasks := filepath.Join("/proc", strconv.Itoa(pid), "task")
	folder, err := os.Open(tasks)
	if err != nil {
		return nil
	}
	defer func() { _ = folder.Close() }()
	// What was read before an error counts.
	threads, _ := folder.Readdirnames(-1)
	for _, thread := range threads {
		list, err := os.ReadFile(filepath.Join(tasks, thread, "children"))
		if os.IsNotExist(err) && !exists(filepath.Join("/proc/self/task", strconv.Itoa(os.Getpid()), "children")) {
			return scanChildren(pid)
		}
		for field := range bytes.FieldsSeq(list) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// scanChildren finds the children of a process among all processes, for systems that do not
// list them (CONFIG_PROC_CHILDREN).
func scanChildren(pid int) (found []int) {
	// A missing folder has no entries.
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		// The name in parentheses may have spaces and parentheses.
		at := bytes.LastIndexByte(stat, ')')
		if err != nil || at < 0 {
			continue
		}
		const parent = 1 // after the state
		fields := bytes.Fields(stat[at+1:])
		if len(fields) <= parent || string(fields[parent]) != strconv.Itoa(pid) {
			continue
		}
		if child, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			found = append(found, child)
		}
	}
	return found
}
