package worker

import (
	"os/exec"

	"gatewright/internal/process"
)

// workerProcess is the process of a worker.
type workerProcess struct {
	*family
	// unguarded is why what it leaves behind may outlive this process, writable why it can
	// write into its source; "" if it cannot, or if no system sees to that.
	unguarded, writable string
	// ended is closed when it has ended. Then exit is how, in Lambda's words, and peak is
	// the most memory that it or one of its children had, in KB; 0 if that is unknown.
	ended chan struct{}
	exit  string
	peak  int
}

// startAlone starts a process as a child of this one.
func startAlone(cmd *exec.Cmd) (*workerProcess, error) {
	f, err := startFamily(cmd)
	if err != nil {
		return nil, err
	}
	p := &workerProcess{family: f, ended: make(chan struct{})}
	go func() {
		// How it ended is in ProcessState.
		_ = cmd.Wait()
		p.exit = process.ExitText(cmd.ProcessState)
		close(p.ended)
	}()
	return p, nil
}
