//go:build linux

package measure

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long a server may take to start and to end, also on a busy machine.
const patience = time.Minute

// Server is a program that serves.
type Server struct {
	*exec.Cmd
	ended chan struct{}

	mu     sync.Mutex
	output []string
}

// Serve starts a program in a process group of its own, and waits until a line of its output says
// that it serves, as ready tells.
func Serve(command *exec.Cmd, ready func(line string) bool) (*Server, error) {
	s := &Server{Cmd: command, ended: make(chan struct{})}
	s.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, in := io.Pipe()
	s.Stdout, s.Stderr = in, in
	if err := s.Start(); err != nil {
		return nil, err
	}
	serves := make(chan struct{})
	go s.listen(out, ready, serves)
	go func() {
		_ = s.Wait()
		close(s.ended)
	}()
	select {
	case <-serves:
		return s, nil
	case <-s.ended:
	case <-time.After(patience):
	}
	s.Kill()
	return nil, fmt.Errorf("it does not say that it serves\n%s", s.LastOutput())
}

// listen reads the output.
func (s *Server) listen(out io.Reader, ready func(line string) bool, serves chan<- struct{}) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if serves != nil && ready(lines.Text()) {
			close(serves)
			serves = nil
		}
		const most = 20
		s.mu.Lock()
		s.output = append(s.output[max(0, len(s.output)-most+1):], lines.Text())
		s.mu.Unlock()
	}
}

// LastOutput is the end of the output.
func (s *Server) LastOutput() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.output, "\n")
}

// PID is the process.
func (s *Server) PID() int { return s.Process.Pid }

// IsUp returns an error if the program has ended.
func (s *Server) IsUp() error {
	select {
	case <-s.ended:
		return fmt.Errorf("it has ended: %v", s.ProcessState)
	default:
		return nil
	}
}

// End sends a signal, and returns how long the process took to end.
func (s *Server) End(signal os.Signal) (time.Duration, error) {
	began := time.Now()
	if err := s.Process.Signal(signal); err != nil {
		return 0, err
	}
	select {
	case <-s.ended:
		return time.Since(began), nil
	case <-time.After(patience):
		return 0, fmt.Errorf("it does not end after %v", signal)
	}
}

// Kill kills the process and its group.
func (s *Server) Kill() {
	_ = syscall.Kill(-s.PID(), syscall.SIGKILL)
	<-s.ended
}

// FreePort is a port for a server that prints none.
func FreePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}
