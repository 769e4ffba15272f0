//go:build linux

package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Process is what the system says of a process.
type Process struct {
	PID, Parent, Group int
	Name, State        string
	// Used is its processor time with that of its children that have ended, Own without it.
	Used, Own time.Duration
}

// Processes are all processes of the machine.
func Processes() []Process {
	var all []Process
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			if p, err := ProcessOf(pid); err == nil {
				all = append(all, p)
			}
		}
	}
	return all
}

// ProcessOf is a process by its number.
func ProcessOf(pid int) (Process, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, err
	}
	// The name in parentheses may have spaces and parentheses.
	end := strings.LastIndexByte(string(text), ')')
	_, name, _ := strings.Cut(string(text[:end]), "(")
	fields := strings.Fields(string(text[end+1:]))
	number := func(at int) int {
		n, _ := strconv.Atoi(fields[at])
		return n
	}
	const tick = time.Second / 100
	p := Process{PID: pid, Name: name, State: fields[0], Parent: number(1), Group: number(2)}
	p.Own = time.Duration(number(11)+number(12)) * tick
	p.Used = p.Own + time.Duration(number(13)+number(14))*tick
	return p, nil
}

// Tree is a process and its descendants.
func Tree(root int) []Process {
	all := make(map[int]Process)
	for _, p := range Processes() {
		all[p.PID] = p
	}
	var tree []Process
	for pid, p := range all {
		for at := pid; at > 1; at = all[at].Parent {
			if at == root {
				tree = append(tree, p)
				break
			}
		}
	}
	return tree
}

// Work is the exact processor time of a process, and how often one of its threads woke up.
func Work(pid int) (used time.Duration, wakes int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, thread := range threads {
		var ran int64
		text, _ := os.ReadFile(thread + "/schedstat")
		_, _ = fmt.Sscan(string(text), &ran)
		text, _ = os.ReadFile(thread + "/status")
		_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
		var woke int
		_, _ = fmt.Sscan(after, &woke)
		used, wakes = used+time.Duration(ran), wakes+woke
	}
	return used, wakes
}

// Resident is the memory of a process in bytes, as the system counts it.
func Resident(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	var size, pages int
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d %d", &size, &pages)
	}
	return pages * os.Getpagesize(), err
}
