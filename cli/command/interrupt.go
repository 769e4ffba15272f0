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
)

// Hold opens something of the sandbox's state, uses it, and lets go of it. A
// signal ends the context that open gets, and then the command is interrupted.
func Hold(streams Streams, open func(context.Context) (io.Closer, error), use func() error) error {
	end := Interruptible(streams)
	defer end.Done()
	held, err := open(end.Context)
	if err != nil {
		return err
	}
	err = use()
	if end.Context.Err() != nil {
		err = ExitInterrupted
	}
	return errors.Join(err, held.Close())
}

// Interrupt is how somebody ends a command that has processes to end.
type Interrupt struct {
	// Context ends at the first signal, Hurry is closed at the second one; the third
	// kills the program.
	Context context.Context
	Hurry   chan struct{}
	Hurried atomic.Bool
	signals chan os.Signal
	Done    func()
}

// Interruptible lets signals end a command.
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
		Say(streams.Err, "ending; again ends at once")
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

// take takes the signals from whoever has them: the program's own way to end is
// to end at once (main), which leaves processes behind.
func (e *Interrupt) take() {
	signal.Reset(os.Interrupt)
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM)
	// Who started the program with nohup wants it to outlive the terminal.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(e.signals, syscall.SIGHUP)
	}
}
