package frame

import (
	"fmt"
	"runtime/debug"

	"gatewright/prose"

	tea "charm.land/bubbletea/v2"
)

// PanicError is what Run returns when the program broke. Its text is one line;
// the stack is for a report.
type PanicError struct {
	Value any
	Stack []byte
	// Saved is where the unsaved work was kept; "" where none was.
	Saved string
}

// panicOf is the panic that was recovered just now.
func panicOf(value any) *PanicError { return &PanicError{Value: value, Stack: debug.Stack()} }

func (e *PanicError) Error() string {
	return fmt.Sprintf("the program broke: %s; %s", prose.Printable(fmt.Sprint(e.Value)), savedText(e.Saved))
}

// Unwrap is the value of the panic where that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// guard runs the root model so that a panic anywhere in it ends the program as a
// quit does: with the terminal restored, and without a stack over the screen.
type guard struct {
	model *Model
	crash *PanicError
	// stop ends the program from outside of its loop.
	stop func()
}

func (g *guard) Init() (cmd tea.Cmd) {
	defer g.recover()
	return watch(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	next = g // what is returned after a panic too
	if crash, ok := msg.(*PanicError); ok {
		g.broke(crash)
	}
	if g.crash != nil {
		return next, nil
	}
	defer g.recover()
	_, cmd = g.model.Update(msg)
	return next, watch(cmd)
}

func (g *guard) View() (v tea.View) {
	if g.crash != nil {
		return tea.View{AltScreen: true}
	}
	defer g.recover()
	v = g.model.View()
	g.model.rest.drawn(v)
	return v
}

func (g *guard) recover() {
	if r := recover(); r != nil {
		g.broke(panicOf(r))
	}
}

// broke keeps the first panic and ends the program.
func (g *guard) broke(err *PanicError) {
	if g.crash == nil {
		g.crash = err
		go g.stop()
	}
}

// watch makes a panic of a command a message.
func watch(cmd tea.Cmd) tea.Cmd {
	return onEach(cmd, func(run tea.Cmd) (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = panicOf(r)
			}
		}()
		return run()
	})
}
