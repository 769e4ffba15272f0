//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// The size of the project.
const apis, pathsOfEach = 200, 50

// handler writes lines to its log, so that a minute makes a million.
const handler = `exports.handler = async (event) => {
  for (let i = 0; i < 30; i++) console.log("line " + i + " of " + event.path)
  return { statusCode: 200, body: "{}" }
}
`

// project is the project that is served, and the built program.
type project struct{ program, folder string }

func (p *project) environment() []string {
	return append(os.Environ(), "GATEWRIGHT_STATE="+filepath.Join(filepath.Dir(p.folder), "state"), "TERM=xterm-256color",
		"COLORTERM=truecolor")
}

func (p *project) gatewright(args ...string) ([]byte, error) {
	command := exec.Command(p.program, args...)
	command.Dir, command.Env = p.folder, p.environment()
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("gatewright %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func makeProject(work, program string) (*project, error) {
	p := &project{program, filepath.Join(work, "shop")}
	if err := os.Mkdir(p.folder, 0o755); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"init", "--name", "shop"}, {"add", "function", "work", "--template", "plain"}} {
		if _, err := p.gatewright(args...); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(p.folder, "backend", "function", "work", "src", "index.js"), []byte(handler),
		0o644); err != nil {
		return nil, err
	}
	for i := range apis {
		var b strings.Builder
		for j := range pathsOfEach {
			name := fmt.Sprintf("/area%d/thing%d", i, j)
			fmt.Fprintf(&b, "%s\n    %q: {\"name\": %q, \"lambdaFunction\": \"work\", \"permissions\": {\"setting\": \"open\"}}",
				map[bool]string{true: "", false: ","}[j == 0], name, name)
		}
		folder := filepath.Join(p.folder, "backend", "api", fmt.Sprintf("api%03d", i))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		text := "{\n  \"version\": 1,\n  \"paths\": {" + b.String() + "\n  }\n}\n"
		if err := os.WriteFile(filepath.Join(folder, "cli-inputs.json"), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// served is the running sandbox, with a URL for each API.
type served struct {
	command   *exec.Cmd
	endpoints []string
}

// serve starts the sandbox, and waits until it has printed the address of every API.
func (p *project) serve() (*served, error) {
	s := &served{command: exec.Command(p.program, "sandbox", "--port", "0")}
	s.command.Dir, s.command.Env = p.folder, p.environment()
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "API" {
			s.endpoints = append(s.endpoints, fields[2])
		}
		if strings.Contains(lines.Text(), "is written, for environment") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			break
		}
	}
	if len(s.endpoints) != apis {
		s.end()
		return nil, fmt.Errorf("the sandbox serves %d APIs", len(s.endpoints))
	}
	return s, nil
}

func (s *served) end() {
	_ = s.command.Process.Signal(syscall.SIGINT)
	_ = s.command.Wait()
}

// load sends requests until ctx ends, and returns how many were answered.
func (s *served) load(ctx context.Context, rate int) int {
	const senders = 8
	var answered atomic.Int64
	var all sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	for sender := range senders {
		all.Go(func() {
			tick := time.NewTicker(time.Second * senders / time.Duration(rate))
			defer tick.Stop()
			for n := sender; ; n += senders {
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
				i := n % len(s.endpoints)
				answer, err := client.Get(fmt.Sprintf("%s/area%d/thing%d/1", s.endpoints[i], i, n%pathsOfEach))
				if err != nil {
					continue
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				answered.Add(1)
			}
		})
	}
	all.Wait()
	return int(answered.Load())
}
