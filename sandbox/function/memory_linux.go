package function

import (
	"bytes"
	"os"
	"strconv"

	"gatewright/sandbox/guardian"
)

// MeasuresMemory says that the memory of a running process is known on this system.
const MeasuresMemory = true

// peakMemory returns the peak of the process's resident memory in KB, 0 if it is unknown
// (VmHWM, https://man7.org/linux/man-pages/man5/proc_pid_status.5.html).
func (g *group) peakMemory() int {
	return figures(g.pid, "status").get("VmHWM:")
}

// sharedMemory returns how many KB the process and those below it have now, together. It is
// 0 if there are none below it, or if it is less than a number of KB that is known already.
//
// A page that several of them have counts once: the shares of each in its anonymous pages
// add up, since only processes of the same family share those. Pages of files, such as the
// program, may be shared with other workers; they count as the largest process has them.
func (g *group) sharedMemory(known int) int {
	family := append([]int{g.pid}, below(g.pid)...)
	if len(family) == 1 {
		return 0
	}
	resident := make([]numbers, len(family))
	most := 0
	for n, pid := range family {
		resident[n] = figures(pid, "status")
		most += resident[n].get("VmRSS:")
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
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name)
	if err != nil {
		return nil
	}
	return text
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
