//go:build linux

package guardian

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// sight is the view of the file system that a guardian process shares with everything below
// it, and with nothing else. It tells what the guardian left behind, whatever became its
// parent. The zero value is that of a guardian without a view of its own, and matches nothing.
type sight struct {
	name string
	// pin keeps the system from giving the name to another view.
	pin *os.File
}

// sightOf returns the view of a process, zero if it is that of this process or unknown.
func sightOf(pid int) sight {
	own, err := sightName("self")
	if err != nil {
		return sight{}
	}
	pin, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "ns", "mnt"))
	if err != nil {
		return sight{}
	}
	name, err := sightName(strconv.Itoa(pid))
	if err != nil || name == own {
		_ = pin.Close()
		return sight{}
	}
	return sight{name, pin}
}

// sightName names the view of a process, see https://man7.org/linux/man-pages/man7/namespaces.7.html.
func sightName(process string) (string, error) {
	return os.Readlink(filepath.Join("/proc", process, "ns", "mnt"))
}

// endAll kills every process with the view, and what is below it, until none is left. It gives
// up on processes that the system does not end.
func (s sight) endAll() {
	if s.name == "" {
		return
	}
	const pause, patience = time.Millisecond, 5 * time.Second
	for end := time.Now().Add(patience); s.kill() > 0 && time.Now().Before(end); {
		time.Sleep(pause)
	}
}

// kill kills the processes that have the view now, and returns their number.
func (s sight) kill() (found int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		// A process that has ended and is not waited for has no view.
		if name, err := sightName(entry.Name()); err != nil || name != s.name {
			continue
		}
		found++
		// It must not start others meanwhile.
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		killBelow(pid, nil)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return found
}

func (s sight) close() {
	if s.pin != nil {
		_ = s.pin.Close()
	}
}
