package function

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"gatewright/sandbox/guardian"
)

// confine makes the process the leader of a group, and lets the system kill it when
// the sandbox is killed. The system does that when the thread that started the process
// ends, so one thread starts all processes (starter).
func confine() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// holdThread keeps the calling goroutine on its thread.
func holdThread() { runtime.LockOSThread() }

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
func (l *launcher) start(cmd *exec.Cmd, readOnly []string, alone func(*exec.Cmd) (*workerProcess, error)) (*workerProcess, error) {
	g, err := l.begin()
	if err != nil || g == nil {
		p, failure := alone(cmd)
		if failure == nil && err != nil {
			p.unguarded = oneLine(err.Error())
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
	p := &workerProcess{group: &group{pid: child.PID, child: child}, writable: oneLine(child.Writable), ended: make(chan struct{})}
	go func() {
		<-child.Ended()
		p.exit, p.peak = exitWords(child.Status()), child.Peak()
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

// killStrays kills the processes with a variable of a worker, also those that left its
// group (with setsid), and returns their number.
func killStrays(variable string) (killed int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	needle := []byte("\x00" + variable + "\x00")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || !bytes.Contains(append([]byte{0}, environ...), needle) {
			continue
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}
