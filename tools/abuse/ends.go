//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// endUnderLoad ends the sandbox by a signal while requests are running, and returns how
// long that took.
func (l *ledger) endUnderLoad(
	ctx context.Context, o options, s *sandbox, work plan, signal os.Signal,
) (time.Duration, error) {
	const warm, many = 3 * time.Second, 1 << 30
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	carried := make(chan struct{})
	go func() {
		defer close(carried)
		// Connecting fails when the sandbox has ended.
		_ = l.sendAll(ctx, s, o.connections, work.bursts(ctx, 0, many))
	}()
	select {
	case <-time.After(warm):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	if err := s.IsUp(); err != nil {
		return 0, err
	}
	l.dying.Store(true)
	took, err := s.End(signal)
	cancel()
	<-carried
	l.dying.Store(false)
	return took, err
}

// interrupt ends the sandbox by SIGINT.
func interrupt(ctx context.Context, o options, s *sandbox, l *ledger) error {
	work := plan{tag: "int", seed: o.seed, functions: l.project.functions}
	took, err := l.endUnderLoad(ctx, o, s, work, os.Interrupt)
	if err != nil {
		return err
	}
	left, code := s.left(), s.ProcessState.ExitCode()
	l.report.judge("SIGINT under load", fmt.Sprintf("exit code %d after %v", code, took.Round(time.Millisecond)),
		"exit code 0", code == 0)
	l.report.judge("processes left at once after it", fmt.Sprint(len(left), " ", left), "none", len(left) == 0)
	l.report.judge("its port", freeOrNot(s), "free", s.isFree())
	return nil
}

// killUnderLoad ends the sandbox by SIGKILL.
func killUnderLoad(ctx context.Context, o options, s *sandbox, l *ledger) error {
	const most = 2 * time.Second
	work := plan{tag: "kill", seed: o.seed, functions: l.project.functions}
	if _, err := l.endUnderLoad(ctx, o, s, work, syscall.SIGKILL); err != nil {
		return err
	}
	began := time.Now()
	left := s.left()
	for len(left) > 0 && time.Since(began) < most {
		time.Sleep(time.Millisecond)
		left = s.left()
	}
	took := time.Since(began).Round(time.Millisecond)
	l.report.judge("processes left after SIGKILL under load", fmt.Sprintf("%d after %v %v", len(left), took, left),
		"none after "+most.String(), len(left) == 0)
	l.report.judge("its port", freeOrNot(s), "free", s.isFree())
	return nil
}

func freeOrNot(s *sandbox) string {
	if s.isFree() {
		return "free"
	}
	return "taken"
}
