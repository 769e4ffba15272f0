//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gatewright/tools/measure"
)

// wide makes a project of APIs with some paths each, and gives their function a source.
func (b *bench) wide(name string, apis, paths int, handler string) (*measure.Project, error) {
	p, err := b.project(name)
	if err != nil {
		return nil, err
	}
	if handler != "" {
		if err := os.WriteFile(filepath.Join(source(p, "plain"), "index.js"), []byte(handler), 0o600); err != nil {
			return nil, err
		}
	}
	for i := range apis {
		var lines []string
		for j := range paths {
			name := fmt.Sprintf("/area%d/thing%d", i, j)
			lines = append(lines, fmt.Sprintf("\n    %q: {\"name\": %q, \"lambdaFunction\": \"plain\", \"permissions\": {\"setting\": \"open\"}}",
				name, name))
		}
		file := definition(p, i)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		text := "{\n  \"version\": 1,\n  \"paths\": {" + strings.Join(lines, ",") + "\n  }\n}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// definition is the file of an API.
func definition(p *measure.Project, api int) string {
	return filepath.Join(p.Folder, "backend", "api", fmt.Sprintf("api%04d", api), "cli-inputs.json")
}

// paths measures what a number of paths costs: a call, and adding one.
func paths(b *bench) error {
	const many = "a call, 1,000 paths"
	if b.rows.MatchString(many) {
		p, err := b.wide("wide", 1, 1000, "")
		if err != nil {
			return err
		}
		floor, err := b.floor(p, source(p, "plain"), plainListen)
		if err != nil {
			return err
		}
		apis, err := b.sandbox(p)
		if err != nil {
			return err
		}
		c := call{method: "GET", path: "/area0/thing500/1", has: succeed}
		if err := b.calls(many, c, []int{1, 16}, apis[0], floor); err != nil {
			return err
		}
	}
	rounds := b.rounds
	defer func() { b.rounds = rounds }()
	for _, each := range []struct {
		name  string
		paths func(n int) int
	}{{"in one API", func(n int) int { return n }}, {"in APIs of 50", func(int) int { return 50 }}} {
		var before float64
		for _, n := range []int{1000, 10_000, 100_000} {
			name := fmt.Sprintf("add a path %s, %d paths", each.name, n)
			if !b.rows.MatchString(name) {
				continue
			}
			// The largest takes long.
			b.rounds = min(rounds, 2_000_000/n)
			if n == 100_000 {
				b.rounds = min(rounds, 2)
			}
			took, err := b.adding(name, n/each.paths(n), each.paths(n))
			if err != nil {
				return err
			}
			if before > 0 {
				b.lines = append(b.lines, fmt.Sprintf("  exponent\t\t%.2f", math.Log10(took/before)))
			}
			before = took
		}
	}
	return nil
}

// adding measures adding a path. The floor reads and writes the file of one API, as JSON.
func (b *bench) adding(name string, apis, paths int) (float64, error) {
	p, err := b.wide(fmt.Sprint("adding", apis, "x", paths), apis, paths, "")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(filepath.Dir(p.Folder)) }()
	n := 0
	add := func() ([]float64, error) {
		n++
		began := time.Now()
		err := p.Gatewright(b.ctx, []string{"add", "path", "api0000", fmt.Sprint("/added", n), "--function", "plain", "--open"})
		return []float64{milliseconds(time.Since(began))}, err
	}
	copied := func() ([]float64, error) {
		began := time.Now()
		for i := range apis {
			var all any
			text, err := os.ReadFile(definition(p, i))
			if err == nil {
				err = json.Unmarshal(text, &all)
			}
			if err == nil && i == 0 {
				if text, err = json.MarshalIndent(all, "", "  "); err == nil {
					err = os.WriteFile(filepath.Join(b.work, "copy.json"), text, 0o600)
				}
			}
			if err != nil {
				return nil, err
			}
		}
		return []float64{milliseconds(time.Since(began))}, nil
	}
	medians, err := b.row(name, []figure{{"", "ms", false}}, add, copied)
	if err != nil {
		return 0, err
	}
	return medians[0], nil
}
