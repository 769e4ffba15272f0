//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"gatewright/tools/measure"
)

// bench is a run.
type bench struct {
	quick bool
	// groups and rows are the patterns of those that are measured.
	groups, rows *regexp.Regexp
	rounds       int
	span         time.Duration
	work         string
	ctx          context.Context
	// program is the built program.
	program string
	trio    *trio
	// lines are those of the table.
	lines   []string
	machine string
	started []*measure.Server
}

// figure is what is measured of something: each measurement returns a value for each figure.
type figure struct {
	name, unit string
	// more says that more is better.
	more bool
}

// subject is what is measured: the program, its floor or its peer.
type subject func() []float64

// row measures subjects in turn, and adds a line for each figure: the program first, then its floor
// and its peer, which may be nil. It returns the medians of the program.
func (b *bench) row(name string, figures []figure, subjects ...subject) []float64 {
	if !b.rows.MatchString(name) {
		return nil
	}
	log.Print(name)
	began := time.Now()
	seen := make([][][]float64, len(subjects))
	// Fewer rounds are enough to tell apart what takes long.
	const most = 20 * time.Second
	for round := 0; round < b.rounds && (round == 0 || time.Since(began) < most); round++ {
		for i, one := range subjects {
			if one == nil {
				continue
			}
			var values []float64
			err := attempt(func() { values = one() })
			switch {
			case err == nil:
				seen[i] = append(seen[i], values)
			case i == 0:
				check(fmt.Errorf("%s: %w", name, err))
			default:
				// What a floor or a peer cannot do is told; only the program must.
				why, _, _ := strings.Cut(err.Error(), "\n")
				log.Printf("%s: %s fails: %s", name, [...]string{"", "the floor", "the peer"}[i], why)
				subjects[i], seen[i] = nil, nil
			}
		}
	}
	var medians []float64
	for at, f := range figures {
		if f.unit == "" {
			continue
		}
		line := strings.TrimSuffix(name+", "+f.name, ", ") + "\t" + f.unit
		for i := range 3 {
			var values, ratios []float64
			for round := 0; i < len(seen) && round < len(seen[i]); round++ {
				values = append(values, seen[i][round][at])
				ratio := seen[0][round][at] / seen[i][round][at]
				if f.more {
					ratio = 1 / ratio
				}
				ratios = append(ratios, ratio)
			}
			if len(values) == 0 {
				line += "\t-\t-"
				continue
			}
			line += "\t" + measure.Spread(values)
			if i == 0 {
				medians = append(medians, measure.Median(values))
			} else {
				// Of nothing there are no times.
				line += "\t" + strings.NewReplacer("+Inf", "-", "NaN", "-").Replace(fmt.Sprintf("%.2f", measure.Median(ratios)))
			}
		}
		b.lines = append(b.lines, line)
	}
	return medians
}

// text is the table.
func (b *bench) text() string {
	var text bytes.Buffer
	text.WriteString(b.machine)
	text.WriteString("median (least..most); times: the cost in that of the floor or peer, less is better\n")
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, line := range b.lines {
		if !strings.Contains(line, "\t") && line != "" {
			_ = out.Flush()
			fmt.Fprintf(&text, "%s\n", line)
			line = "\t\tgatewright\tfloor\ttimes\tpeer\ttimes"
		}
		fmt.Fprintln(out, line)
	}
	_ = out.Flush()
	return regexp.MustCompile(` +\n`).ReplaceAllString(text.String(), "\n")
}

// serve starts a program that prints its address.
func (b *bench) serve(command *exec.Cmd) *server {
	var address string
	s, err := measure.Serve(command, func(line string) bool {
		// serverless-offline prints another address before its own.
		_, rest, found := strings.Cut(line, "http://")
		if !found || strings.Contains(line, "[http for lambda]") {
			return false
		}
		rest, _, _ = strings.Cut(strings.Fields(rest)[0], "/")
		address = strings.Replace(rest, "localhost", "127.0.0.1", 1)
		return true
	})
	if err != nil {
		check(fmt.Errorf("%s: %w", command, err))
	}
	b.started = append(b.started, s)
	return &server{address: address, pids: []int{s.PID()}}
}

// project makes a project with one function and no API.
func (b *bench) project(name string) *measure.Project {
	p := &measure.Project{Program: b.program, Folder: filepath.Join(b.work, name, "project")}
	check(os.MkdirAll(p.Folder, 0o755))
	check(p.Gatewright(b.ctx, []string{"init", "--name", "speed", "--app-id", "speed"},
		[]string{"add", "function", "plain", "--template", "plain"}))
	return p
}

// source is the folder of a function's source.
func source(p *measure.Project, function string) string {
	return filepath.Join(p.Folder, "backend", "function", function, "src")
}

// failure is a panic with what ends a run, or a measurement of a peer.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// attempt returns the failure of what it does.
func attempt(do func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			failed, ok := r.(failure)
			if !ok {
				panic(r)
			}
			err = failed.error
		}
	}()
	do()
	return nil
}
