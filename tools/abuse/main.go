//go:build linux

// Command abuse does to the sandbox what it must stand. It makes a project with
// four functions in Node.js, starts the built program with it, and
//
//   - makes 100,000 requests whose handlers crash, exit, hang, throw, return
//     nonsense or much, and whose callers leave, while the sources are edited;
//   - holds 1,000 connections and uses them all at once, beside clients that send
//     or read as slowly as they can, while others make ordinary calls;
//   - ends the sandbox by SIGINT, and another one by SIGKILL under load.
//
// It prints what it saw in a table, and exits 1 where something is wrong. Which
// requests are made depends on -seed alone; when they meet an edit does not. Linux
// only: memory and processes are read from /proc. npm installs Express for real.
//
//	go run ./tools/abuse                            # all of it, under ten minutes
//	go run ./tools/abuse -requests 3000 -crowd 0    # a minute
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are what a run is asked for.
type options struct {
	requests, connections, crowd int
	seed                         uint64
}

func main() {
	var o options
	flag.IntVar(&o.requests, "requests", 100_000, "how many requests are made; the log keeps the refusals of some 500,000")
	flag.IntVar(&o.connections, "connections", 16, "how many connections make them")
	flag.IntVar(&o.crowd, "crowd", 1000, "how many connections are held open at once, of the 2,000 that the gateway lets in; 0 leaves these and the slow clients out")
	flag.Uint64Var(&o.seed, "seed", 1, "what the choice of the requests depends on")
	flag.Parse()
	log.SetFlags(0)
	if o.requests < 1 || o.connections < 1 || o.crowd < 0 || flag.NArg() > 0 {
		log.Print("-requests and -connections are 1 or more, -crowd is 0 or more, and nothing else is given")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	r := &report{}
	err := run(ctx, o, r)
	interrupted := ctx.Err() != nil
	stop()
	switch {
	case interrupted:
		os.Exit(130)
	case err != nil:
		log.Fatal(err)
	}
	good, err := r.print(os.Stdout, os.Stderr)
	if err != nil {
		log.Fatal(err)
	}
	if !good {
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, r *report) error {
	work, err := os.MkdirTemp("", "abuse")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	p, err := newProject(ctx, work)
	if err != nil {
		return err
	}
	s, err := p.start(ctx)
	if err != nil {
		return err
	}
	defer func() { s.kill() }()
	l := newLedger(p, r)
	steps := []struct {
		name string
		do   func() error
	}{
		{"requests", func() error { return abuse(ctx, o, s, l) }},
		{"crowd", func() error { return crowd(ctx, o, s, l) }},
		{"edits", func() error { return measureEdits(ctx, s, l) }},
		{"SIGINT", func() error { return interrupt(ctx, o, s, l) }},
		{"log", func() error { return l.compareLogs(ctx) }},
		{"SIGKILL", func() error {
			again, err := p.start(ctx)
			if err != nil {
				return err
			}
			s = again
			return killed(ctx, o, s, l)
		}},
	}
	for _, step := range steps {
		began := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w\n%s", step.name, err, s.lastWords())
		}
		log.Printf("%s: %v", step.name, time.Since(began).Round(time.Second/10))
	}
	l.reportAnswers()
	return nil
}

// abuse makes the requests of the plan while sources are edited. Memory is taken
// after a tenth and after all.
func abuse(ctx context.Context, o options, s *sandbox, l *ledger) error {
	work := plan{tag: "run", seed: o.seed, functions: l.project.functions}
	tenth := max(o.requests/10, 1)
	var first, last usage
	for _, leg := range []struct {
		from, to int
		seen     *usage
	}{{0, tenth, &first}, {tenth, o.requests, &last}} {
		editing, end := context.WithCancel(ctx)
		edited := make(chan error, 1)
		go func() { edited <- l.project.keepEditing(editing) }()
		err := l.carry(ctx, s, o.connections, work.bursts(ctx, leg.from, leg.to))
		end()
		if err := errors.Join(err, <-edited, ctx.Err(), s.isUp()); err != nil {
			return err
		}
		if *leg.seen, err = s.rest(ctx); err != nil {
			return err
		}
		log.Printf("%d requests: %d MB resident", leg.to, leg.seen.resident>>20)
	}
	reportUsage(l.report, tenth, o.requests, first, last)
	return nil
}
