//go:build linux

// Command busy measures how long keys take on the dashboard while a sandbox is busy: a project
// of 200 APIs with 50 paths each, 500 requests a second for a minute, and a log that grows to
// a million lines. It also compares the requests that it sent with those that were counted.
//
//	go run ./tools/busy
//
// It exits with 1 if the median of the keys is over 16 ms, or if a request is missing.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"gatewright/tools/measure"
)

// mostKey is how long a key may take in the median.
const mostKey = 16 * time.Millisecond

func main() {
	long := flag.Duration("for", time.Minute, "`duration` of the load")
	rate := flag.Int("rate", 500, "requests a second")
	flag.Parse()
	if err := run(*long, *rate); err != nil {
		fmt.Fprintln(os.Stderr, "busy:", err)
		os.Exit(1)
	}
}

func run(long time.Duration, rate int) error {
	work, err := os.MkdirTemp("", "gatewright-busy-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	ctx := context.Background()
	p, err := makeProject(ctx, work)
	if err != nil {
		return err
	}
	s, err := serve(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _, _ = s.End(os.Interrupt) }()
	w, err := measure.Open(p.Command(ctx, p.Folder, p.Program))
	if err != nil {
		return err
	}
	defer w.Close()
	const settle = 8 * time.Second
	time.Sleep(settle)
	loading, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	sent := make(chan int, 1)
	go func() { sent <- s.load(loading, rate) }()
	took, err := keys(loading, w)
	if err != nil {
		return err
	}
	n := <-sent
	counted, err := lastNumber(ctx, p)
	if err != nil {
		return err
	}
	screen, err := measure.Resident(w.PID())
	if err != nil {
		return err
	}
	box, err := measure.Resident(s.PID())
	if err != nil {
		return err
	}
	slices.Sort(took)
	at := func(percent int) float64 { return took[(len(took)-1)*percent/100].Seconds() * 1e3 }
	fmt.Printf("%d keys during %d requests in %v: median %.1f ms, 95 of 100 within %.1f ms, the slowest %.1f ms\n",
		len(took), n, long, at(50), at(95), at(100))
	fmt.Printf("memory: the dashboard %d MB, the sandbox %d MB; requests counted: %d\n", screen>>20, box>>20, counted)
	switch {
	case counted != n:
		return fmt.Errorf("%d requests were sent, and %d counted", n, counted)
	case took[len(took)/2] > mostKey:
		return fmt.Errorf("a key takes over %v", mostKey)
	}
	return nil
}

// keys presses keys on several tabs until ctx ends. Each opens or closes the help, whose text
// is waited for: the screen changes all the time.
func keys(ctx context.Context, w *measure.Window) ([]time.Duration, error) {
	const patience = 5 * time.Second
	var took []time.Duration
	for round := 0; ctx.Err() == nil; round++ {
		w.Send([]string{"1", "4", "2", "3"}[round%4])
		time.Sleep(700 * time.Millisecond)
		for range 5 {
			d, ok := w.Until("?", patience, "palette", "next match", "half a page", "go to the next tab")
			if !ok {
				return nil, errors.New("the help does not open")
			}
			took = append(took, d)
			time.Sleep(113 * time.Millisecond)
			w.Send("\x1b")
			time.Sleep(171 * time.Millisecond)
		}
	}
	return took, nil
}

// lastNumber is the number of requests that the sandbox says it answered.
func lastNumber(ctx context.Context, p *measure.Project) (int, error) {
	out, err := p.Run(ctx, p.Folder, p.Program, "logs", "--requests", "--json", "--last", "1")
	if err != nil {
		return 0, err
	}
	var last struct{ Number int }
	if err := json.Unmarshal(bytes.TrimSpace(out), &last); err != nil {
		return 0, fmt.Errorf("reading the last request: %w", err)
	}
	return last.Number, nil
}
