package worker

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"gatewright/sandbox/guardian"
)

// MeasuresMemory says that the memory of a running process is known on this system.
const MeasuresMemory = true

// usedMemory returns the peak of the process's resident memory in KB
// (VmHWM, https://man7.org/linux/man-pages/man5/proc_pid_status.5.html), and with all what it
// and the processes below it have now, if that is more; at least what is known already.
func (f *family) usedMemory(known int, all bool) int {
	status := figures(f.pid, "status")
	peak := max(known, status.get("VmHWM:"))
	if !all {
		return peak
	}
	return max(peak, sum(f.pid, status, below(f.pid), peak))
}

// mayHaveGrown reports whether the process has more than a number of KB now
// (https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html).
func (f *family) mayHaveGrown(known int) bool {
	pages := bytes.Fields(figures(f.pid, "statm"))
	if len(pages) < 2 {
		return true
	}
	resident, err := strconv.Atoi(string(pages[1]))
	return err != nil || resident*(os.Getpagesize()/kilo) > known
}

// sharedMemory returns how many KB the process and those below it have now, together, and whether there are
// any below it. It is 0 if there are none, or if it is less than a number of KB that is known already.
func (f *family) sharedMemory(known int) (now int, several bool) {
	others := below(f.pid)
	if len(others) == 0 {
		return 0, false
	}
	return sum(f.pid, figures(f.pid, "status"), others, known), true
}

// sum is sharedMemory of a process and the others, with what the system says of the first one.
//
// A page that several of them have counts once: the shares of each in its anonymous pages
// add up, since only processes of the same family share those. Pages of files, such as the
// program, may be shared with other workers; they count as the largest process has them.
func sum(first int, status numbers, others []int, known int) int {
	if len(others) == 0 {
		return 0
	}
	family, resident := append([]int{first}, others...), []numbers{status}
	for _, pid := range others {
		resident = append(resident, figures(pid, "status"))
	}
	most := 0
	for _, r := range resident {
		most += r.get("VmRSS:")
	}
	// The exact figures take milliseconds for a large process.
	if most <= known {
		return 0
	}
	own, files, ofFiles := 0, 0, 0
	for n, pid := range family {
		share := figures(pid, "smaps_rollup")
		if _, exact := share.find("Pss_Anon:"); exact {
			own += share.get("Pss_Anon:") + share.get("Pss_Shmem:")
			ofFiles += share.get("Pss_File:")
		} else {
			own += resident[n].get("RssAnon:") + resident[n].get("RssShmem:")
		}
		files = max(files, resident[n].get("RssFile:"))
	}
	return own + max(files, ofFiles)
}

// below returns the processes that descend from a process.
func below(pid int) (found []int) {
	for _, child := range guardian.Children(pid) {
		found = append(append(found, child), below(child)...)
	}
	return found
}

// numbers are lines of a name and a number of KB.
type numbers []byte

// figures reads a file of the system about a process; it is empty if that has ended.
func figures(pid int, name string) numbers {
	// os.ReadFile takes twice as long, and this is done after most calls.
	fd, err := syscall.Open("/proc/"+strconv.Itoa(pid)+"/"+name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer syscall.Close(fd)
	text := make([]byte, 4<<10)
	n, _ := syscall.Read(fd, text)
	return text[:max(0, n)]
}

func (n numbers) get(name string) int {
	value, _ := n.find(name)
	return value
}

func (n numbers) find(name string) (value int, ok bool) {
	at := 0
	if !bytes.HasPrefix(n, []byte(name)) {
		if at = bytes.Index(n, []byte("\n"+name)) + 1; at == 0 {
			return 0, false
		}
	}
	line, _, _ := bytes.Cut(n[at+len(name):], []byte{'\n'})
	text, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte{' '})
	value, err := strconv.Atoi(string(text))
	return value, err == nil
}
