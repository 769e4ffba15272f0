//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"gatewright/tools/measure"
)

// sandbox is the program that serves the project.
type sandbox struct {
	*measure.Server
	project *project
	// address is the sandbox's host and port, api the id of the API.
	address, api string
}

// start starts the sandbox on a free port, and waits until it prints the API's address.
func (p *project) start(ctx context.Context) (*sandbox, error) {
	s := &sandbox{project: p}
	var err error
	s.Server, err = measure.Serve(p.Command(ctx, p.Folder, p.Program, "sandbox", "--port", "0"), func(line string) bool {
		at, found := strings.CutPrefix(line, "  API abuse http://")
		if found {
			s.address, s.api, _ = strings.Cut(at, "/")
			s.api, _, _ = strings.Cut(s.api, "/")
		}
		return found
	})
	return s, err
}

// kill kills the sandbox and all its processes.
func (s *sandbox) kill() {
	s.Kill()
	for _, one := range s.left() {
		_ = syscall.Kill(one.PID, syscall.SIGKILL)
	}
}

// left are the other processes of the sandbox: those in its process group, and those whose
// working directory or environment names the project.
func (s *sandbox) left() []measure.Process {
	work := filepath.Dir(s.project.Folder) + "/"
	return slices.DeleteFunc(measure.Processes(), func(p measure.Process) bool {
		place, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.PID))
		variables, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
		return p.PID == os.Getpid() || p.PID == s.PID() || p.State == "Z" ||
			p.Group != s.PID() && !strings.HasPrefix(place+"/", work) && !bytes.Contains(variables, []byte(work))
	})
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
		resident, err := measure.Resident(s.PID())
		if err != nil {
			return usage{}, err
		}
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.PID()))
		if err != nil {
			return usage{}, err
		}
		seen = append(seen, usage{resident, len(files)})
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
