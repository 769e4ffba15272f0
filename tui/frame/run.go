package frame

import (
	"errors"
	"fmt"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// ErrNoTerminal is what Run returns if input or output is not a terminal that can draw
// screens. Nothing was drawn then.
var ErrNoTerminal = errors.New("screens need a terminal")

// ErrEnded is what Run returns if a signal ended the program.
var ErrEnded = errors.New("ended by a signal")

// Run shows the first page and returns when the screens have ended: nil if a person
// quit, ErrNoTerminal or ErrEnded (wrapped), a *PanicError, or why the first page could
// not be made. The terminal is restored in all cases.
func Run(o Options) error {
	if o.In == nil {
		o.In = os.Stdin
	}
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.Now = time.Now
	if err := checkTerminal(o); err != nil {
		return err
	}
	g, err := newGuard(o)
	if err != nil {
		return err
	}
	p := tea.NewProgram(g, tea.WithInput(input(o.In)), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithFPS(busyFrames), tea.WithoutSignalHandler())
	g.stop, g.model.throttle = p.Quit, newThrottle(p)
	defer g.model.throttle.stop()
	err = runUntilSignal(p, o.In, &g.model.away)
	return g.exitError(err, o.OnPanic)
}

// checkTerminal fails unless screens can be drawn and keys be read.
func checkTerminal(o Options) error {
	switch {
	case !isTerminal(o.In):
		return fmt.Errorf("%w: standard input is not a terminal", ErrNoTerminal)
	case !isTerminal(o.Out):
		return fmt.Errorf("%w: standard output is not a terminal", ErrNoTerminal)
	case envValue(o.Env, "TERM") == "dumb":
		return fmt.Errorf("%w: this one cannot draw (TERM=dumb)", ErrNoTerminal)
	}
	return checkConsole(o.Out)
}

func isTerminal(stream any) bool {
	file, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}

// newGuard makes the root model. It returns a panic of the first page's maker as an
// error: there is no unsaved work yet.
func newGuard(o Options) (g *guard, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = newPanicError(r)
		}
	}()
	m := New(o)
	return &guard{model: m}, m.startErr
}

// exitError is the result of Run. If the program did not end by a person's decision, it
// saves unsaved work first.
func (g *guard) exitError(err error, onPanic func() string) error {
	switch {
	case g.crash != nil:
		g.crash.Saved = saveWork(onPanic)
		return g.crash
	case errors.Is(err, ErrStalled):
		// Its pages still wait for the terminal, so nothing changes them.
		return fmt.Errorf("%w; %w; %s", ErrEnded, ErrStalled, describeSaved(saveWork(onPanic)))
	case errors.Is(err, tea.ErrInterrupted) || err == nil && !g.model.quit.leaving:
		return fmt.Errorf("%w; %s", ErrEnded, describeSaved(saveWork(onPanic)))
	case err != nil:
		return fmt.Errorf("showing the screens: %w; %s", err, describeSaved(saveWork(onPanic)))
	}
	return nil
}

// saveWork calls onPanic, which may panic again after a crash.
func saveWork(onPanic func() string) (where string) {
	if onPanic == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			where = ""
		}
	}()
	return onPanic()
}

func describeSaved(where string) string {
	if where == "" {
		return "no draft was saved"
	}
	return "the draft is in " + where
}
