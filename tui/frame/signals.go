package frame

import (
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// ending is how long screens may take to end after a signal. They cannot end at all while they
// wait for a terminal that takes no more output, because it is paused or its connection hangs.
const ending = time.Second

// ErrStalled is what Run returns, with ErrEnded, if the terminal takes no more output. What is
// printed there could wait for ever.
var ErrStalled = errors.New("the terminal takes no more output")

// runUntilSignal runs a program, and ends it at SIGINT, SIGTERM and SIGHUP. Without SIGHUP the
// process would end at once when the terminal is closed, with neither a draft nor a clean-up.
//
// Bubble Tea's own handler of signals is not used: if two of them arrive at the same time, or one
// arrives while the program ends anyway, that handler waits for ever to pass on its message, and
// the program waits for ever for the handler.
//
// away says that another program has the terminal. SIGINT is meant for that one, and its end is
// waited for, unless the terminal is closed.
func runUntilSignal(p *tea.Program, in any, away *atomic.Bool) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	restore := terminalState(in)
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	var late <-chan time.Time
	for {
		select {
		case err := <-ended:
			return err
		case s := <-signals:
			if s == syscall.SIGINT && away.Load() {
				continue
			}
			if late == nil && (s == syscall.SIGHUP || !away.Load()) {
				late = time.After(ending)
			}
			// Send waits until the program takes the message, or has ended.
			if s == syscall.SIGINT {
				go p.Send(tea.InterruptMsg{})
			} else {
				go p.Quit()
			}
		case <-late:
			restore()
			return ErrStalled
		}
	}
}

// terminalState returns what puts the terminal back into the state that it has now.
func terminalState(in any) (restore func()) {
	file, ok := in.(interface{ Fd() uintptr })
	if !ok {
		return func() {}
	}
	state, err := term.GetState(int(file.Fd()))
	if err != nil {
		return func() {}
	}
	return func() { _ = term.Restore(int(file.Fd()), state) }
}
