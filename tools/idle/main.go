//go:build linux

// Command idle measures how much processor time idle screens take, and how long the screen
// takes to react to the first key after a pause.
//
//	go run ./tools/idle                      # this program
//	go run ./tools/idle -beside ./another    # and another build, in the same run
//
// It runs the program in pseudo-terminals with a project that it makes, and exits with 1 if
// an idle screen of this program takes too much.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gatewright/tools/measure"
)

// maxIdle is how much of one processor an idle screen may take, in percent.
const maxIdle = 0.3

func main() {
	beside := flag.String("beside", "", "another `build` of the program to measure as well")
	rest := flag.Duration("for", 20*time.Second, "`duration` of the idle time")
	flag.Parse()
	if err := run(*beside, *rest); err != nil {
		fmt.Fprintln(os.Stderr, "idle:", err)
		os.Exit(1)
	}
}

var errTooMuch = fmt.Errorf("an idle screen takes more than %.1f %% of a processor", maxIdle)

func run(beside string, rest time.Duration) error {
	work, err := os.MkdirTemp("", "gatewright-idle-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	p, err := makeProject(work)
	if err != nil {
		return err
	}
	programs := []string{p.Program}
	if beside != "" {
		if beside, err = filepath.Abs(beside); err != nil {
			return err
		}
		programs = append(programs, beside)
	}
	fmt.Printf("%-12s %-10s %10s %16s %16s\n", "program", "screen", "idle", "key after rest", "key after key")
	var failed error
	for _, of := range programs {
		name := "this"
		if of != p.Program {
			name = filepath.Base(of)
		}
		for _, s := range []screen{
			{"wizard", []string{"add", "api"}, "\x1b[B", "\x1b[A"},
			{"dashboard", nil, "j", "k"},
			{"console", []string{"call"}, "j", "k"},
		} {
			m, err := figuresOf(p, of, s, rest)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			fmt.Printf("%-12s %-10s %8.2f %% %13.1f ms %13.1f ms\n", name, s.name, m.idle, m.rested.Seconds()*1e3,
				m.busy.Seconds()*1e3)
			if of == p.Program && m.idle > maxIdle {
				failed = errTooMuch
			}
		}
	}
	return failed
}

// makeProject makes a project with one API.
func makeProject(work string) (*measure.Project, error) {
	p, err := measure.New(context.Background(), work)
	if err != nil {
		return nil, err
	}
	const answers = `{"version": 1, "paths": {"/books": {"lambdaFunction": "books", "permissions": {"setting": "protected", "auth": ["read"], "guest": ["read"]}}, "/orders": {"lambdaFunction": "books", "permissions": {"setting": "private", "auth": ["create", "read"]}}}}`
	if err := os.WriteFile(filepath.Join(work, "answers.json"), []byte(answers), 0o644); err != nil {
		return nil, err
	}
	return p, p.Gatewright(context.Background(), []string{"init", "--name", "shop"},
		[]string{"add", "api", "shop", "--from", "../answers.json", "--create-functions", "express"})
}

// screen is a screen with the arguments that open it, and two keys that change it.
type screen struct {
	name       string
	args       []string
	down, back string
}

// figures are the measurements of a screen: its use of a processor while idle, in percent,
// and the median times from a key to the first byte of output, after a pause and without one.
type figures struct {
	idle         float64
	rested, busy time.Duration
}

func figuresOf(p *measure.Project, program string, s screen, rest time.Duration) (figures, error) {
	t, err := measure.Open(p.Command(context.Background(), p.Folder, program, s.args...))
	if err != nil {
		return figures{}, err
	}
	defer t.Close()
	const settle, patience, times = 3 * time.Second, 2 * time.Second, 15
	time.Sleep(settle)
	before, err := measure.ProcessOf(t.PID())
	if err != nil {
		return figures{}, err
	}
	time.Sleep(rest)
	after, err := measure.ProcessOf(t.PID())
	if err != nil {
		return figures{}, err
	}
	f := figures{idle: 100 * (after.Own - before.Own).Seconds() / rest.Seconds()}
	keys := []string{s.down, s.back}
	key := func(i int) (time.Duration, error) {
		took, ok := t.Press(keys[i%2], patience)
		if !ok {
			return 0, errors.New("a key has no effect")
		}
		return took, nil
	}
	var rested, busy []time.Duration
	for i := range times {
		// The varying pause varies the moment between two ticks of the renderer.
		time.Sleep(time.Second + time.Duration(i)*7*time.Millisecond)
		took, err := key(i)
		if err != nil {
			return f, err
		}
		rested = append(rested, took)
	}
	for i := range times {
		took, err := key(i + 1)
		if err != nil {
			return f, err
		}
		busy = append(busy, took)
	}
	f.rested, f.busy = median(rested), median(busy)
	return f, nil
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
