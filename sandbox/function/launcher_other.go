//go:build !linux

package function

import "os/exec"

// launcher starts workers as children of this process: other systems than Linux have no
// guardian process.
type launcher struct{}

func (l *launcher) begin() {}

// start starts a worker. Folders cannot be read-only for one process here.
func (l *launcher) start(cmd *exec.Cmd, _ []string, alone func(*exec.Cmd) (*workerProcess, error)) (*workerProcess, error) {
	return alone(cmd)
}

func (l *launcher) close() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
