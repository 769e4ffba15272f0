package worker

import (
	"os"
	"os/exec"
	"sync"
	"syscall"

	"gatewright/internal/process"
	"gatewright/sandbox/function"
	"gatewright/sandbox/guardian"
)

// family is the process of a worker and everything that it starts. What leaves the group of
// processes is found only if the guardian process started it.
type family struct {
	pid int
	// The guardian process, or this process, started it; the other one is nil.
	child interface{ Kill() }
	group *process.Group
}

func startFamily(cmd *exec.Cmd) (*family, error) {
	g, err := process.StartGroup(cmd)
	if err != nil {
		return nil, err
	}
	return &family{pid: cmd.Process.Pid, group: g}, nil
}

// Kill kills the process and everything in its group.
func (f *family) Kill() {
	if f.child != nil {
		f.child.Kill()
		return
	}
	f.group.Kill()
}

// Close kills what is left of the group. The process has ended and is waited for.
func (f *family) Close() {
	if f.child == nil {
		f.group.Close()
		return
	}
	_ = syscall.Kill(-f.pid, syscall.SIGKILL)
}

// launcher starts workers through a guardian process, which ends what they leave behind
// when this process ends, also if it is killed.
type launcher struct {
	mu       sync.Mutex
	guardian *guardian.Guardian
	failure  error
	closed   bool
}

// begin starts the guardian process unless there is one. After close there is none.
func (l *launcher) begin() (*guardian.Guardian, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, l.failure
	}
	if l.guardian != nil && !l.guardian.IsGone() || l.failure != nil {
		return l.guardian, l.failure
	}
	l.guardian, l.failure = guardian.Start()
	return l.guardian, l.failure
}

// start starts a worker, which cannot write into the readOnly folders if the system allows
// that. Without a guardian process, alone starts it.
func (l *launcher) start(
	cmd *exec.Cmd, readOnly []string, alone func(*exec.Cmd) (*workerProcess, error),
) (*workerProcess, error) {
	g, err := l.begin()
	if err != nil || g == nil {
		p, failure := alone(cmd)
		if failure == nil && err != nil {
			p.unguarded = function.OneLine(err.Error())
		}
		return p, failure
	}
	command := guardian.Command{Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Dir: cmd.Dir, ReadOnly: readOnly}
	for _, stream := range []any{cmd.Stdout, cmd.Stderr} {
		command.Files = append(command.Files, stream.(*os.File))
	}
	command.Files = append(command.Files, cmd.ExtraFiles...)
	child, err := g.Run(command)
	if err != nil && g.IsGone() {
		// Something ended it; another one takes its place.
		if g, err = l.begin(); err == nil && g != nil {
			child, err = g.Run(command)
		}
	}
	if err != nil {
		return nil, err
	}
	p := &workerProcess{
		family: &family{pid: child.PID, child: child}, writable: function.OneLine(child.Writable),
		ended: make(chan struct{}),
	}
	go func() {
		<-child.Ended()
		p.exit, p.peak = process.ExitWords(child.Status()), child.Peak()
		close(p.ended)
	}()
	return p, nil
}

// close ends everything that the workers left behind. The channel is closed when that is
// done.
func (l *launcher) close() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.guardian != nil {
		return l.guardian.Close()
	}
	done := make(chan struct{})
	close(done)
	return done
}
