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
	// address is the sandbox's host and port, api the id of the API.
	address, api string
	// ended is closed when the process has ended.
	ended chan struct{}

	mu     sync.Mutex
	output []string
}

// start starts the sandbox on a free port, and waits until it prints the API's address.
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
	return nil, errors.Join(fmt.Errorf("the sandbox prints no address\n%s", s.lastOutput()), ctx.Err())
}

// listen reads the output of the sandbox.
func (s *sandbox) listen(out io.Reader, endpoint chan<- string) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if at, found := strings.CutPrefix(lines.Text(), "  API abuse http://"); found {
			endpoint <- at
		}
		const most = 20
		s.mu.Lock()
		s.output = append(s.output[max(0, len(s.output)-most+1):], lines.Text())
		s.mu.Unlock()
	}
}

// lastOutput is the end of the sandbox's output.
func (s *sandbox) lastOutput() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.output, "\n")
}

// isUp returns an error if the sandbox has ended.
func (s *sandbox) isUp() error {
	select {
	case <-s.ended:
		return fmt.Errorf("the sandbox has ended: %v", s.cmd.ProcessState)
	default:
		return nil
	}
}

// end sends a signal, and returns how long the process took to end.
func (s *sandbox) end(signal os.Signal) (time.Duration, error) {
	began := time.Now()
	if err := s.cmd.Process.Signal(signal); err != nil {
		return 0, err
	}
	select {
	case <-s.ended:
		return time.Since(began), nil
	case <-time.After(longest):
		return 0, fmt.Errorf("it does not end after %v", signal)
	}
}

// kill kills the sandbox and all its processes.
func (s *sandbox) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
	for _, one := range s.left() {
		_ = syscall.Kill(one.pid, syscall.SIGKILL)
	}
}

// process is a process of the sandbox.
type process struct {
	pid  int
	name string
}

// left are the other processes of the sandbox: those in its process group, and those whose
// working directory or environment names the project.
func (s *sandbox) left() []process {
	var found []process
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil || pid == os.Getpid() || pid == s.cmd.Process.Pid {
			continue
		}
		// The name in parentheses may have spaces and parentheses.
		at := bytes.LastIndexByte(stat, ')')
		fields := strings.Fields(string(stat[at+1:]))
		if fields[0] == "Z" {
			continue
		}
		place, _ := os.Readlink(filepath.Join(folder, "cwd"))
		variables, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if fields[2] == strconv.Itoa(s.cmd.Process.Pid) || strings.HasPrefix(place+"/", s.project.dir+"/") ||
			bytes.Contains(variables, []byte(s.project.dir+"/")) {
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

// usage are the resources of an idle sandbox.
type usage struct {
	resident int // bytes
	files    int // open files
}

// atRest waits two seconds, and returns the least usage in the next five.
func (s *sandbox) atRest(ctx context.Context) (usage, error) {
	const pause, samples, every = 2 * time.Second, 20, 250 * time.Millisecond
	var seen []usage
	for sleep := pause; len(seen) < samples; sleep = every {
		select {
		case <-ctx.Done():
			return usage{}, ctx.Err()
		case <-time.After(sleep):
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

// reportUsage reports the usage after some requests and after all.
func reportUsage(r *report, some, all int, first, last usage) {
	const most, enough = 1.2, 10_000
	ratio := float64(last.resident) / float64(first.resident)
	seen := fmt.Sprintf("%.1f MB after %d requests, %.1f MB after %d: %.2f times", megabytes(first.resident), some,
		megabytes(last.resident), all, ratio)
	if some < enough {
		r.saw("resident memory (too few requests to judge)", "%s", seen)
	} else {
		r.judge("resident memory, least of 20 at rest", seen, fmt.Sprintf("up to %.1f times", most), ratio <= most)
	}
	const room = 40
	r.judge("open files at rest", fmt.Sprintf("%d, then %d", first.files, last.files), fmt.Sprintf("up to %d more", room),
		last.files <= first.files+room)
}

func megabytes(bytes int) float64 { return float64(bytes) / (1 << 20) }
