//go:build !linux

package worker

import (
	"os/exec"
	"runtime"

	"gatewright/internal/process"
)

// family is the process of a worker and everything that it starts.
type family struct{ *process.Group }

func startFamily(cmd *exec.Cmd) (*family, error) {
	g, err := process.StartGroup(cmd)
	if err != nil {
		return nil, err
	}
	return &family{g}, nil
}

// MeasuresMemory says that the memory of a running process is known on this system.
const MeasuresMemory = runtime.GOOS == "windows"

// usedMemory is the peak of the process, or what is known already.
func (f *family) usedMemory(known int, _ bool) int { return max(known, f.PeakMemory()) }

// mayHaveGrown is not quicker to see than usedMemory.
func (f *family) mayHaveGrown(int) bool { return true }

// sharedMemory is unknown: Windows adds up what the processes of a job have asked for, and not
// what they use.
func (f *family) sharedMemory(int) (now int, several bool) { return 0, false }

// launcher starts workers as children of this process: other systems than Linux have no
// guardian process.
type launcher struct{}

func (l *launcher) begin() {}

// start starts a worker. Folders cannot be read-only for one process here.
func (l *launcher) start(
	cmd *exec.Cmd, _ []string, alone func(*exec.Cmd) (*workerProcess, error),
) (*workerProcess, error) {
	return alone(cmd)
}

func (l *launcher) close() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
