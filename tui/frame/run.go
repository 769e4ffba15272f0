package frame

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// ErrNoTerminal is what Run returns where there is nothing to draw screens on or
// to read keys from. Nothing was drawn then.
var ErrNoTerminal = errors.New("screens need a terminal")

// ErrEnded is what Run returns when the program was ended by a signal and not by
// a person who left it.
var ErrEnded = errors.New("ended by a signal")

// Run shows the first page and returns when the program is left: nil when a
// person left it, ErrNoTerminal or ErrEnded (wrapped), a *PanicError, or why the
// first page could not be made. The terminal is as it was before in all cases.
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
	if err := fit(o); err != nil {
		return err
	}
	g, err := guarded(o)
	if err != nil {
		return err
	}
	p := tea.NewProgram(g, tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env), tea.WithFPS(busyFrames))
	g.stop, g.model.rest = p.Quit, restOf(p)
	defer g.model.rest.end()
	defer hangUp(p.Quit)()
	_, err = p.Run()
	return g.ended(err, o.OnPanic)
}

// hangUp does something when the terminal goes away, until the function that it
// gives is called. Otherwise the program would end without a word, and what it runs
// would be left.
func hangUp(do func()) (over func()) {
	if signal.Ignored(syscall.SIGHUP) {
		return func() {}
	}
	hung, stop := signal.NotifyContext(context.Background(), syscall.SIGHUP)
	leave := context.AfterFunc(hung, do)
	return func() {
		leave()
		stop()
	}
}

// fit tells whether screens can be drawn and keys be read.
func fit(o Options) error {
	switch {
	case !isTerminal(o.In):
		return fmt.Errorf("%w: standard input is none", ErrNoTerminal)
	case !isTerminal(o.Out):
		return fmt.Errorf("%w: standard output is none", ErrNoTerminal)
	case value(o.Env, "TERM") == "dumb":
		return fmt.Errorf("%w: this one says that it cannot draw (TERM=dumb)", ErrNoTerminal)
	}
	return nil
}

func isTerminal(stream any) bool {
	file, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(file.Fd())
}

// guarded makes the root model. A panic of the first page's maker is an error:
// there is no unsaved work yet.
func guarded(o Options) (g *guard, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicOf(r)
		}
	}()
	m := New(o)
	m.live = true
	return &guard{model: m}, m.failed
}

// ended says how the program ended, after keeping unsaved work where no person
// decided about it.
func (g *guard) ended(err error, onPanic func() string) error {
	switch {
	case g.crash != nil:
		g.crash.Saved = saved(onPanic)
		return g.crash
	case errors.Is(err, tea.ErrInterrupted) || err == nil && !g.model.quit.left:
		return fmt.Errorf("%w; %s", ErrEnded, savedText(saved(onPanic)))
	case err != nil:
		return fmt.Errorf("show the screens: %w; %s", err, savedText(saved(onPanic)))
	}
	return nil
}

// saved asks the caller to keep unsaved work. A broken program may break here
// again.
func saved(onPanic func() string) (where string) {
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

func savedText(where string) string {
	if where == "" {
		return "no draft was kept"
	}
	return "the draft is in " + where
}
