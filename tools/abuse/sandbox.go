//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// sandbox is the program that serves the project.
type sandbox struct {
	project *project
	cmd     *exec.Cmd
	// address is its host and port, api the id of the API.
	address, api string
	// ended is closed when the process is gone.
	ended chan struct{}

	mu   sync.Mutex
	said []string
}

// start starts the sandbox on a free port, and waits until it says where the API
// is.
func (p *project) start(ctx context.Context) (*sandbox, error) {
	s := &sandbox{project: p, ended: make(chan struct{})}
	s.cmd = exec.Command(p.program, "sandbox", "--port", "0")
	s.cmd.Dir, s.cmd.Env = p.dir, environment(p.dir)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, in := io.Pipe()
	s.cmd.Stdout, s.cmd.Stderr = in, in
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	endpoint := make(chan string, 1)
	go s.listen(out, endpoint)
	go func() {
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	select {
	case at := <-endpoint:
		s.address, s.api, _ = strings.Cut(at, "/")
		s.api, _, _ = strings.Cut(s.api, "/")
		return s, nil
	case <-s.ended:
	case <-ctx.Done():
	case <-time.After(longest):
	}
	s.kill()
	return nil, errors.Join(fmt.Errorf("the sandbox says no address\n%s", s.lastWords()), ctx.Err())
}

// listen takes what the sandbox prints.
func (s *sandbox) listen(out io.Reader, endpoint chan<- string) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, found := strings.CutPrefix(lines.Text(), "  api abuse http://"); found {
			endpoint <- at
		}
		const most = 20
		s.mu.Lock()
		s.said = append(s.said[max(0, len(s.said)-most+1):], lines.Text())
		s.mu.Unlock()
	}
}

// lastWords is what the sandbox printed last.
func (s *sandbox) lastWords() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.said, "\n")
}

// isUp is an error where the sandbox has ended.
func (s *sandbox) isUp() error {
	select {
	case <-s.ended:
		return fmt.Errorf("the sandbox has ended: %v", s.cmd.ProcessState)
	default:
		return nil
	}
}

// end sends a signal, and gives how long the process took to end.
func (s *sandbox) end(signal os.Signal) (time.Duration, error) {
	began := time.Now()
	if err := s.cmd.Process.Signal(signal); err != nil {
		return 0, err
	}
	select {
	case <-s.ended:
		return time.Since(began), nil
	case <-time.After(longest):
		return 0, fmt.Errorf("it does not end by %v", signal)
	}
}

// kill ends the sandbox, and whatever of it is left.
func (s *sandbox) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
	for _, one := range s.left() {
		_ = syscall.Kill(one.pid, syscall.SIGKILL)
	}
}

// process is one that belongs to the sandbox.
type process struct {
	pid  int
	name string
}

// left are the processes of the sandbox but itself: those of its group, and those
// whose folder or environment has the project's.
func (s *sandbox) left() []process {
	var found []process
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil || pid == os.Getpid() || pid == s.cmd.Process.Pid {
			continue
		}
		// The name in parentheses may hold anything.
		at := bytes.LastIndexByte(stat, ')')
		fields := strings.Fields(string(stat[at+1:]))
		if fields[0] == "Z" {
			continue
		}
		place, _ := os.Readlink(filepath.Join(folder, "cwd"))
		variables, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if fields[2] == strconv.Itoa(s.cmd.Process.Pid) || strings.HasPrefix(place+"/", s.project.dir+"/") || bytes.Contains(variables, []byte(s.project.dir+"/")) {
			_, name, _ := strings.Cut(string(stat[:at]), "(")
			found = append(found, process{pid, name})
		}
	}
	return found
}

// isFree reports whether the sandbox's port can be listened on.
func (s *sandbox) isFree() bool {
	listener, err := net.Listen("tcp", s.address)
	if err != nil {
		return false
	}
	return listener.Close() == nil
}

// usage is what a sandbox takes that is at rest.
type usage struct {
	resident int // bytes
	files    int // that are open
}

// rest lets the sandbox rest for two seconds, and gives the least that it takes in
// the five that follow.
func (s *sandbox) rest(ctx context.Context) (usage, error) {
	const pause, samples, every = 2 * time.Second, 20, 250 * time.Millisecond
	var seen []usage
	for wait := pause; len(seen) < samples; wait = every {
		select {
		case <-ctx.Done():
			return usage{}, ctx.Err()
		case <-time.After(wait):
		}
		folder := fmt.Sprintf("/proc/%d/", s.cmd.Process.Pid)
		statm, err := os.ReadFile(folder + "statm")
		if err != nil {
			return usage{}, err
		}
		pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
		if err != nil {
			return usage{}, err
		}
		files, err := os.ReadDir(folder + "fd")
		if err != nil {
			return usage{}, err
		}
		seen = append(seen, usage{pages * os.Getpagesize(), len(files)})
	}
	least := func(of func(usage) int) int {
		return of(slices.MinFunc(seen, func(a, b usage) int { return of(a) - of(b) }))
	}
	return usage{least(func(u usage) int { return u.resident }), least(func(u usage) int { return u.files })}, nil
}

// reportUsage reports what the sandbox took after some requests and after all.
func reportUsage(r *report, some, all int, first, last usage) {
	const most, enough = 1.2, 10_000
	ratio := float64(last.resident) / float64(first.resident)
	seen := fmt.Sprintf("%.1f MB after %d requests, %.1f MB after %d: %.2f times", megabytes(first.resident), some, megabytes(last.resident), all, ratio)
	if some < enough {
		r.saw("resident memory (too few requests to judge)", "%s", seen)
	} else {
		r.judge("resident memory, least of 20 at rest", seen, fmt.Sprintf("up to %.1f times", most), ratio <= most)
	}
	const room = 40
	r.judge("open files at rest", fmt.Sprintf("%d, then %d", first.files, last.files), fmt.Sprintf("up to %d more", room), last.files <= first.files+room)
}

func megabytes(bytes int) float64 { return float64(bytes) / (1 << 20) }
