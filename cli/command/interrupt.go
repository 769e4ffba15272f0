package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gatewright/sandbox/state"
)

// Hold opens a part of the sandbox's state, uses it and closes it. A signal ends the context
// that open gets; the command then ends with ExitInterrupted.
func Hold(streams Streams, open func(context.Context) (io.Closer, error), use func() error) error {
	end := Interruptible(streams)
	defer end.Done()
	var state io.Closer
	err := InTurn(end.Context, streams, func() (err error) {
		state, err = open(end.Context)
		return err
	})
	if err != nil {
		return err
	}
	err = use()
	if end.Context.Err() != nil {
		err = ExitInterrupted
	}
	return errors.Join(err, state.Close())
}

// InTurn calls do, which takes the sandbox's state, again while another command has it, for
// some seconds: commands of one script may follow each other closely.
func InTurn(ctx context.Context, streams Streams, do func() error) error {
	const patience, silence, pause = 10 * time.Second, time.Second, 25 * time.Millisecond
	for began, told := time.Now(), false; ; time.Sleep(pause) {
		err := do()
		held, ok := errors.AsType[*state.RunningError](err)
		if !ok || held.Who() == "" || time.Since(began) > patience || ctx.Err() != nil {
			return err
		}
		if !told && time.Since(began) > silence {
			told = true
			Say(streams.Err, "waiting until %s ends", held.Who())
		}
	}
}

// Interrupt tells a command that has processes to end when signals arrive.
type Interrupt struct {
	// Context ends at the first signal, Hurry is closed at the second one; the third
	// kills the program.
	Context context.Context
	Hurry   chan struct{}
	Hurried atomic.Bool
	signals chan os.Signal
	Done    func()
}

// Interruptible returns an Interrupt for a command, which calls Done at its end.
func Interruptible(streams Streams) *Interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	e := &Interrupt{Context: ctx, Hurry: make(chan struct{}), signals: make(chan os.Signal, 2)}
	stopped := make(chan struct{})
	e.Done = sync.OnceFunc(func() {
		signal.Stop(e.signals)
		close(stopped)
		cancel()
	})
	e.take()
	go func() {
		select {
		case <-e.signals:
		case <-stopped:
			return
		}
		Say(streams.Err, "stopping; interrupt again to stop at once")
		cancel()
		select {
		case <-e.signals:
		case <-stopped:
			return
		}
		signal.Stop(e.signals)
		e.Hurried.Store(true)
		close(e.Hurry)
	}()
	return e
}

// take redirects the signals to e. By default main exits at once, which would leave
// processes behind.
func (e *Interrupt) take() {
	signal.Reset(os.Interrupt)
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM)
	// nohup ignores SIGHUP, so that the program outlives the terminal.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(e.signals, syscall.SIGHUP)
	}
}
