//go:build linux

// Command abuse is a stress test of the sandbox. It makes a project with five functions in
// Node.js, one of them in TypeScript, starts the built program in it, and
//
//   - sends 100,000 requests whose handlers crash, exit, hang, throw, or return invalid or
//     large results, and whose callers disconnect, while the sources are edited;
//   - keeps 1,000 connections open and uses them all at once, together with very slow
//     clients, while others make ordinary calls;
//   - ends the sandbox by SIGINT, and another one by SIGKILL, under load.
//
// It prints a table of its findings, and exits with 1 if a requirement is not met. -seed
// determines the requests, but not their timing. It runs on Linux only, where it reads
// memory and processes from /proc, and installs Express with npm.
//
//	go run ./tools/abuse                            # everything, under ten minutes
//	go run ./tools/abuse -requests 3000 -crowd 0    # about a minute
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

// options are the flags of a run.
type options struct {
	requests, connections, crowd int
	seed                         uint64
}

func main() {
	var o options
	flag.IntVar(&o.requests, "requests", 100_000,
		"number of `requests`; the log has room for the refusals of some 500,000")
	flag.IntVar(&o.connections, "connections", 16, "number of `connections` for these requests")
	flag.IntVar(&o.crowd, "crowd", 1000,
		"number of `connections` that are open at once, up to the gateway's limit of 2,000; 0 also leaves out the slow "+
			"clients")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random choice of requests")
	flag.Parse()
	log.SetFlags(0)
	if o.requests < 1 || o.connections < 1 || o.crowd < 0 || flag.NArg() > 0 {
		log.Print("-requests and -connections must be at least 1, -crowd at least 0, and there are no arguments")
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
			return killUnderLoad(ctx, o, s, l)
		}},
	}
	for _, step := range steps {
		began := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w\n%s", step.name, err, s.LastOutput())
		}
		log.Printf("%s: %v", step.name, time.Since(began).Round(time.Second/10))
	}
	l.reportAnswers()
	return nil
}

// abuse sends the requests of the plan while sources are edited. It measures memory after a
// tenth of them and after all.
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
		err := l.sendAll(ctx, s, o.connections, work.bursts(ctx, leg.from, leg.to))
		end()
		if err := errors.Join(err, <-edited, ctx.Err(), s.IsUp()); err != nil {
			return err
		}
		if *leg.seen, err = s.atRest(ctx); err != nil {
			return err
		}
		log.Printf("%d requests: %d MB resident", leg.to, leg.seen.resident>>20)
	}
	reportUsage(l.report, tenth, o.requests, first, last)
	return nil
}
