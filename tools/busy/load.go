//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gatewright/tools/measure"
)

// The size of the project.
const apis, pathsOfEach = 200, 50

// handler writes lines to its log, so that a minute makes a million.
const handler = `exports.handler = async (event) => {
  for (let i = 0; i < 30; i++) console.log("line " + i + " of " + event.path)
  return { statusCode: 200, body: "{}" }
}
`

func makeProject(ctx context.Context, work string) (*measure.Project, error) {
	p, err := measure.New(ctx, work)
	if err != nil {
		return nil, err
	}
	if err := p.Gatewright(ctx, []string{"init", "--name", "shop"},
		[]string{"add", "function", "work", "--template", "plain"}); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(p.Folder, "backend", "function", "work", "src", "index.js"), []byte(handler),
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
		folder := filepath.Join(p.Folder, "backend", "api", fmt.Sprintf("api%03d", i))
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
	*measure.Server
	endpoints []string
}

// serve starts the sandbox, and waits until it has printed the address of every API.
func serve(ctx context.Context, p *measure.Project) (*served, error) {
	s := &served{}
	var err error
	s.Server, err = measure.Serve(p.Command(ctx, p.Folder, p.Program, "sandbox", "--port", "0"), func(line string) bool {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "API" {
			s.endpoints = append(s.endpoints, fields[2])
		}
		return strings.Contains(line, "is written, for environment")
	})
	if err == nil && len(s.endpoints) != apis {
		s.Kill()
		return nil, fmt.Errorf("the sandbox serves %d APIs", len(s.endpoints))
	}
	return s, err
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
