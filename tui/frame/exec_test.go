package frame

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/test/await"
	"gatewright/test/depth"
)

// drawnTo receives what a program draws.
type drawnTo chan string

func (d drawnTo) Write(text []byte) (int, error) {
	d <- string(text)
	return len(text), nil
}

// shows waits until a text is drawn.
func (d drawnTo) shows(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(await.Next(t, text, d), text) {
		continue
	}
}

// leaving is a model that gives the terminal to a command, and counts how often.
type leaving struct {
	command string
	times   int
}

type (
	leave    struct{}
	returned struct{ err error }
)

func (l *leaving) Init() tea.Cmd { return nil }

func (l *leaving) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case leave:
		return l, tea.Exec(execCommand{exec.Command(l.command), new(atomic.Bool)}, func(err error) tea.Msg { return returned{err} })
	case returned:
		l.times++
	}
	return l, nil
}

func (l *leaving) View() tea.View { return tea.View{AltScreen: true, Content: screenAfter(l.times)} }

// screenAfter differs from the previous screen in every cell, so that all is drawn.
func screenAfter(times int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return letters[times%20:][:5]
}

// The commands stand for an editor that does not exist, and one that returns at once
// because it opens a window of its own. It waits for the renderers of other tests, so that it runs
// alone.
func TestTheWindowIsRedrawnAfterACommandThatEndsAtOnce(t *testing.T) {
	for _, command := range []string{"no-such-editor", "true"} {
		t.Run(command, func(t *testing.T) {
			in, keys, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			defer keys.Close()
			out := make(drawnTo, 1000)
			p := tea.NewProgram(&leaving{command: command}, tea.WithInput(in), tea.WithOutput(out), tea.WithWindowSize(80, 24),
				tea.WithoutSignals(), tea.WithEnvironment([]string{"TERM=xterm"}))
			ended := make(chan error, 1)
			go func() {
				_, err := p.Run()
				ended <- err
			}()
			out.shows(t, screenAfter(0))
			for n := range 40 {
				p.Send(leave{})
				out.shows(t, screenAfter(n+1))
			}
			p.Quit()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestACommandHasTheTerminalUnlessItHasItsOwnStreams(t *testing.T) {
	t.Parallel()
	depth.Needs(t, "sh")
	var own, terminal strings.Builder
	c := exec.Command("sh", "-c", "cat; echo out; echo err >&2")
	c.Stderr = &own
	a := execCommand{c, new(atomic.Bool)}
	a.SetStdin(strings.NewReader("in "))
	a.SetStdout(&terminal)
	a.SetStderr(io.Discard)
	if err := a.Run(); err != nil || terminal.String() != "in out\n" || own.String() != "err\n" {
		t.Errorf("%v, %q on the terminal, %q of its own", err, terminal.String(), own.String())
	}
}

// whenWritten is an output that calls a function.
type whenWritten func()

func (f whenWritten) Write(text []byte) (int, error) {
	f()
	return len(text), nil
}

// Signals are meant for a program that has the terminal, and afterwards for this one again. It
// waits for the renderers of other tests, so that it runs alone.
func TestAProgramHasTheTerminalUntilItEnds(t *testing.T) {
	away, during := new(atomic.Bool), false
	program := exec.Command(os.Args[0], "-test.run=^$", "-test.v")
	program.Stdout = whenWritten(func() { during = away.Load() })
	if err := (execCommand{program, away}).Run(); err != nil || !during || away.Load() {
		t.Errorf("while it runs %v, afterwards %v (%v)", during, away.Load(), err)
	}
}
