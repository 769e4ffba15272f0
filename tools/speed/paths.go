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
func (b *bench) wide(name string, apis, paths int, handler string) *measure.Project {
	p := b.project(name)
	if handler != "" {
		check(os.WriteFile(filepath.Join(source(p, "plain"), "index.js"), []byte(handler), 0o600))
	}
	for i := range apis {
		var lines []string
		for j := range paths {
			name := fmt.Sprintf("/area%d/thing%d", i, j)
			lines = append(lines, fmt.Sprintf("\n    %q: {\"name\": %q, \"lambdaFunction\": \"plain\", "+
				"\"permissions\": {\"setting\": \"open\"}}", name, name))
		}
		file := definition(p, i)
		check(os.MkdirAll(filepath.Dir(file), 0o755))
		text := "{\n  \"version\": 1,\n  \"paths\": {" + strings.Join(lines, ",") + "\n  }\n}\n"
		check(os.WriteFile(file, []byte(text), 0o600))
	}
	return p
}

// definition is the file of an API.
func definition(p *measure.Project, api int) string {
	return filepath.Join(p.Folder, "backend", "api", fmt.Sprintf("api%04d", api), "cli-inputs.json")
}

// paths measures what a number of paths costs: a call, and adding one.
func paths(b *bench) {
	const many = "a call, 1,000 paths"
	if b.rows.MatchString(many) {
		p := b.wide("wide", 1, 1000, "")
		floor := b.floor(p, source(p, "plain"), plainListen)
		apis := b.sandbox(p)
		c := call{method: "GET", path: "/area0/thing500/1", has: succeed}
		b.calls(many, c, []int{1, 16}, apis[0], floor)
	}
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
			took := b.adding(name, n/each.paths(n), each.paths(n))
			if before > 0 {
				b.lines = append(b.lines, fmt.Sprintf("  exponent\t\t%.2f", math.Log10(took/before)))
			}
			before = took
		}
	}
}

// adding measures adding a path. The floor reads and writes the file of one API, as JSON.
func (b *bench) adding(name string, apis, paths int) float64 {
	p := b.wide(fmt.Sprint("adding", apis, "x", paths), apis, paths, "")
	defer func() { _ = os.RemoveAll(filepath.Dir(p.Folder)) }()
	n := 0
	add := func() []float64 {
		n++
		began := time.Now()
		check(p.Gatewright(b.ctx, []string{
			"add", "path", "api0000", fmt.Sprint("/added", n), "--function", "plain", "--open",
		}))
		return []float64{milliseconds(time.Since(began))}
	}
	copied := func() []float64 {
		began := time.Now()
		for i := range apis {
			var all any
			check(json.Unmarshal(must(os.ReadFile(definition(p, i))), &all))
			if i == 0 {
				check(os.WriteFile(filepath.Join(b.work, "copy.json"), must(json.MarshalIndent(all, "", "  ")), 0o600))
			}
		}
		return []float64{milliseconds(time.Since(began))}
	}
	return b.row(name, []figure{{"", "ms", false}}, add, copied)[0]
}
