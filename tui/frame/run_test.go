package frame

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/test/await"
	"gatewright/tui/keys"
)

// brittlePage panics in the method or command that place names.
type brittlePage struct {
	*listPage
	place string
}

var errBroken = errors.New("index out of range")

func (p *brittlePage) Init() tea.Cmd {
	if p.place == "Init" {
		panic(errBroken)
	}
	return nil
}

func (p *brittlePage) Bindings() []keys.Binding {
	return []keys.Binding{keys.Export.Does("break", "", p.breaks)}
}

func (p *brittlePage) breaks() tea.Cmd {
	broken := func() tea.Msg { panic(errBroken) }
	fine := func() tea.Msg { return nil }
	switch p.place {
	case "Update":
		panic(errBroken)
	case "command":
		return broken
	case "batch":
		return tea.Batch(fine, tea.Batch(fine, broken))
	case "sequence":
		return tea.Sequence(fine, tea.Sequence(fine, broken))
	}
	return nil
}

func (p *brittlePage) View() string {
	if p.place == "View" {
		panic(errBroken)
	}
	return ""
}

func brittle(place string) Options {
	return Options{Start: listRoute{place}, Make: func(Route) (Page, error) {
		if place == "Maker" {
			panic(errBroken)
		}
		return &brittlePage{listPage: &listPage{}, place: place}, nil
	}}
}

// runProgram is Run without a terminal: a window of 80x24 and one key.
func runProgram(t *testing.T, o Options, then tea.Msg) error {
	t.Helper()
	g, err := newGuard(o)
	if err != nil {
		return err
	}
	p := tea.NewProgram(g, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignals(), tea.WithEnvironment([]string{"TERM=xterm"}))
	g.stop = p.Quit
	go func() {
		p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		p.Send(then)
	}()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		if errors.Is(err, tea.ErrProgramPanic) {
			t.Error("the panic came through to Bubble Tea, which prints its stack")
		}
		ended <- g.exitError(err, o.OnPanic)
	}()
	return await.Next(t, "the end of the program", ended)
}

func TestAPanicEndsTheProgramAndSaysWhereTheDraftIs(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"Update", "View", "command", "batch", "sequence"} {
		t.Run(at, func(t *testing.T) {
			o := brittle(at)
			o.OnPanic = func() string { return "drafts/wizard.json" }
			err := runProgram(t, o, key("x"))
			var broke *PanicError
			if !errors.As(err, &broke) || !errors.Is(err, errBroken) || broke.Saved != "drafts/wizard.json" {
				t.Fatalf("got %v", err)
			}
			if want := "gatewright crashed: index out of range; the draft is in drafts/wizard.json"; err.Error() != want {
				t.Errorf("%q, want %q", err, want)
			}
			if !bytes.Contains(broke.Stack, []byte("brittlePage")) {
				t.Errorf("the stack does not show the place:\n%s", broke.Stack)
			}
		})
	}
}

func TestAPanicBeforeTheFirstPageIsAnError(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"Maker", "Init"} {
		if err := runProgram(t, brittle(at), key("x")); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func TestAPanicWhileTheDraftIsSavedDoesNotHideTheFirst(t *testing.T) {
	t.Parallel()
	o := brittle("Update")
	o.OnPanic = func() string { panic("again") }
	err := runProgram(t, o, key("x"))
	if err == nil || err.Error() != "gatewright crashed: index out of range; no draft was saved" {
		t.Errorf("got %v", err)
	}
}

func TestASignalSavesTheDraftToo(t *testing.T) {
	t.Parallel()
	for name, msg := range map[string]tea.Msg{"SIGTERM": tea.Quit(), "SIGINT": tea.Interrupt()} {
		o := brittle("nowhere")
		o.OnPanic = func() string { return "drafts/wizard.json" }
		err := runProgram(t, o, msg)
		if !errors.Is(err, ErrEnded) || !strings.Contains(err.Error(), "drafts/wizard.json") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestQuittingIsNoError(t *testing.T) {
	t.Parallel()
	o := brittle("nowhere")
	o.OnPanic = func() string {
		t.Error("a draft was saved although a person quit")
		return ""
	}
	if err := runProgram(t, o, key("q")); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestRunFailsWithoutATerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, o := range map[string]Options{
		"a reader": {In: strings.NewReader(""), Out: file},
		"a file":   {In: file, Out: file},
	} {
		o.Start, o.Make = listRoute{"x"}, brittle("nowhere").Make
		err := Run(o)
		if !errors.Is(err, ErrNoTerminal) || !strings.Contains(err.Error(), "standard input") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := file.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("something was written: %v", err)
	}
}
