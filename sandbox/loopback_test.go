package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestNoProcessListensBeyondLoopback(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("not tested: this system does not list listeners as Linux does")
	}
	s := openSite(t, Options{})
	s.get("/items")
	all := processesBelow(t, os.Getpid())
	if len(all) < 2 {
		t.Fatal("the function's worker is missing")
	}
	for _, pid := range all {
		for _, address := range listensOn(t, pid) {
			if !strings.HasPrefix(address, "0100007F:") {
				t.Errorf("process %d listens on %s", pid, address)
			}
		}
	}
}

// processesBelow are a process and its descendants.
func processesBelow(t *testing.T, pid int) []int {
	t.Helper()
	all := []int{pid}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(text)) {
			var id int
			_, err := fmt.Sscan(child, &id)
			must(t, err)
			all = append(all, processesBelow(t, id)...)
		}
	}
	return all
}

// listensOn are the addresses that a process listens on, as in /proc/net/tcp.
func listensOn(t *testing.T, pid int) []string {
	t.Helper()
	own := make(map[string]bool)
	opened, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, name := range opened {
		target, _ := os.Readlink(name)
		own[target] = true
	}
	var addresses []string
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/net/" + table)
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			columns := strings.Fields(line)
			if len(columns) > 9 && columns[3] == "0A" && own["socket:["+columns[9]+"]"] {
				addresses = append(addresses, columns[1])
			}
		}
	}
	return addresses
}
