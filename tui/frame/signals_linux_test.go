package frame

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"gatewright/test/await"
)

// ptyProgram is this test binary, which shows screens in a pseudo-terminal.
type ptyProgram struct {
	*exec.Cmd
	terminal *os.File
	ended    chan error
}

// inPTY starts the program, and returns when its first page is drawn.
func inPTY(t *testing.T) *ptyProgram {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	number, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200})
	}
	if err != nil {
		t.Fatal(err)
	}
	window, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &ptyProgram{exec.Command(binary), terminal, make(chan error, 1)}
	p.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color")
	p.Stdin, p.Stdout, p.Stderr = window, window, window
	p.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	_ = window.Close()
	go func() { p.ended <- p.Wait() }()
	t.Cleanup(func() { _ = p.Process.Kill() })
	drawn := ""
	for text := make([]byte, 1<<12); !strings.Contains(drawn, "/items/0"); {
		n, err := terminal.Read(text)
		if err != nil {
			t.Fatalf("%v after %q", err, drawn)
		}
		drawn += string(text[:n])
	}
	return p
}

func (p *ptyProgram) signal(t *testing.T, signals ...os.Signal) {
	t.Helper()
	for i, s := range signals {
		// On a busy machine a later signal may find that the one before has ended the program.
		if err := p.Process.Signal(s); err != nil && (i == 0 || !errors.Is(err, os.ErrProcessDone)) {
			t.Fatal(err)
		}
	}
}

func TestScreensEndAtASignalWhileTheTerminalTakesNoOutput(t *testing.T) {
	t.Parallel()
	p := inPTY(t)
	// Nothing is read from here on: windows of many sizes fill what the system buffers.
	for i := range 100 {
		size := unix.Winsize{Row: uint16(30 + i%2), Col: uint16(120 + i%2)}
		if err := unix.IoctlSetWinsize(int(p.terminal.Fd()), unix.TIOCSWINSZ, &size); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond) // several at once are drawn once
	}
	p.signal(t, syscall.SIGTERM)
	if err := await.Next(t, "the end of the program", p.ended); err == nil {
		t.Error("a signal is no error")
	}
}

// TestScreensEndAtSeveralSignalsAtOnce tries what happens when a terminal is closed, or a system
// ends: one signal arrives while the other ends the program.
func TestScreensEndAtSeveralSignalsAtOnce(t *testing.T) {
	t.Parallel()
	for range 6 {
		p := inPTY(t)
		go func() {
			for text := make([]byte, 1<<12); ; {
				if _, err := p.terminal.Read(text); err != nil {
					return
				}
			}
		}()
		p.signal(t, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
		if err := await.Next(t, "the end of the program", p.ended); err == nil {
			t.Error("a signal is no error")
		}
	}
}

// probed is a program that answers probes.
type probed struct{ answers chan bool }

func (p probed) Init() tea.Cmd { return func() tea.Msg { return probe{} } }

func (p probed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(probe); ok {
		p.answers <- true
	}
	return p, nil
}

func (p probed) View() tea.View { return tea.View{} }

type probe struct{}

// TestAnInterruptIsForTheProgramThatHasTheTerminal sends signals to this process, which waits for
// them too, so that none of them ends it. It runs alone: in the programs of other tests Bubble Tea
// listens to signals again once another program had the terminal, and one would end them.
func TestAnInterruptIsForTheProgramThatHasTheTerminal(t *testing.T) {
	caught := make(chan os.Signal, 100)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(caught)
	send := func(s syscall.Signal) {
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		await.Next(t, s.String(), caught)
	}
	away := new(atomic.Bool)
	away.Store(true)
	model := probed{make(chan bool, 100)}
	p := tea.NewProgram(model, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignals(), tea.WithEnvironment([]string{"TERM=xterm"}))
	ended := make(chan error, 1)
	go func() { ended <- runUntilSignal(p, nil, away) }()
	await.Next(t, "the start of the program", model.answers)
	send(syscall.SIGINT)
	for range 20 {
		p.Send(probe{})
		await.Next(t, "the program to go on", model.answers)
	}
	await.Until(t, "the end of the program", func() bool {
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("it ends with %v", err)
			}
			return true
		default:
			// One that comes while another waits is lost.
			send(syscall.SIGTERM)
			return false
		}
	})
}

// TestAProgramThatHasTheTerminalEndsWithIt: the course, which runs as a program of its own, must
// not go on where nobody sees it.
func TestAProgramThatHasTheTerminalEndsWithIt(t *testing.T) {
	// Where hangups are ignored, as under nohup, a program that is started would ignore them too.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangups) })
	program := exec.Command("sh", "-c", `trap "exit 7" HUP; echo ready; while :; do sleep 0.05; done`)
	program.Stdout = whenWritten(func() { _ = syscall.Kill(os.Getpid(), syscall.SIGHUP) })
	var exit *exec.ExitError
	if err := (execCommand{program, new(atomic.Bool)}).Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Errorf("it ended with %v", err)
	}
}
