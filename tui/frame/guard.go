package frame

import (
	"fmt"
	"runtime/debug"

	"gatewright/internal/text/prose"

	tea "charm.land/bubbletea/v2"
)

// PanicError is what Run returns after a panic. Its text is one line; the stack is for
// a bug report.
type PanicError struct {
	Value any
	Stack []byte
	// Saved is where the unsaved work was saved; "" if none was.
	Saved string
}

// newPanicError has the value of a panic that was just recovered.
func newPanicError(value any) *PanicError { return &PanicError{Value: value, Stack: debug.Stack()} }

func (e *PanicError) Error() string {
	return fmt.Sprintf("gatewright crashed: %s; %s", prose.Printable(fmt.Sprint(e.Value)), describeSaved(e.Saved))
}

// Unwrap is the value of the panic if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// guard wraps the root model. A panic anywhere in it or in a command ends the program
// as a quit does: the terminal is restored, and no stack is printed on the screen.
type guard struct {
	model *Model
	crash *PanicError
	// stop ends the program from outside its loop.
	stop func()
	// drawn is what the last View had, and isOwn says that the last message came from the frame.
	drawn string
	isOwn bool
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer g.recover()
	return catchPanics(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g // also the result after a panic
	if crash, ok := msg.(*PanicError); ok {
		g.crashed(crash)
	}
	if g.crash != nil {
		return next, nil
	}
	defer g.recover()
	_, g.isOwn = msg.(frameMsg)
	_, cmd = g.model.Update(msg)
	return next, catchPanics(cmd)
}

func (g *guard) View() (v tea.View) {
	if g.crash != nil {
		return tea.View{AltScreen: true}
	}
	defer g.recover()
	v = g.model.View()
	g.model.throttle.viewDrawn(!g.isOwn || v.Content != g.drawn)
	g.drawn = v.Content
	return v
}

func (g *guard) recover() {
	if r := recover(); r != nil {
		g.crashed(newPanicError(r))
	}
}

// crashed remembers the first panic and ends the program.
func (g *guard) crashed(err *PanicError) {
	if g.crash == nil {
		g.crash = err
		go g.stop()
	}
}

// catchPanics makes a command return its panic as a message.
func catchPanics(cmd tea.Cmd) tea.Cmd {
	return onEach(cmd, func(run tea.Cmd) (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = newPanicError(r)
			}
		}()
		return run()
	})
}
