package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"gatewright/cli"
	"gatewright/cli/clitest"
	"gatewright/deploy/awstest"
	"gatewright/test/await"
	"gatewright/test/depth"
)

// terminal is a pseudo-terminal in which a test runs commands of a session.
type terminal struct {
	*clitest.Session
	keys, window *os.File

	mu    sync.Mutex
	drawn []byte
}

// inTerminal opens a window of 120 by 40 cells.
func inTerminal(t *testing.T, s *clitest.Session) *terminal {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		depth.Lacks(t, "pseudo-terminals", err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err != nil {
		t.Fatal(err)
	}
	window, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{Session: s, keys: keys, window: window}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the window was given %q", term.shown())
		}
	})
	go func() {
		for text := make([]byte, 1<<12); ; {
			n, err := keys.Read(text)
			term.mu.Lock()
			term.drawn = append(term.drawn, text[:n]...)
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

// start starts a command, whose exit code comes when it ends.
func (term *terminal) start(args ...string) <-chan int {
	streams := clitest.Streams(term.Dir, term.State, append(term.Environ, "TERM=xterm-256color")...)
	streams.In, streams.Out, streams.Err = term.window, term.window, term.window
	ended := make(chan int, 1)
	go func() { ended <- cli.Run(args, streams) }()
	return ended
}

// shown is all that the window was given.
func (term *terminal) shown() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return string(bytes.Clone(term.drawn))
}

func (term *terminal) shows(text string) {
	term.T.Helper()
	await.Until(term.T, fmt.Sprintf("%q in the window", text), func() bool { return strings.Contains(term.shown(), text) })
}

// all is what the window shows after the end of a command.
func (term *terminal) all() string {
	term.T.Helper()
	// What was printed last is there when the window shows what is printed now.
	const mark = "$END"
	if _, err := term.window.WriteString(mark); err != nil {
		term.T.Fatal(err)
	}
	term.shows(mark)
	return strings.ReplaceAll(strings.TrimSuffix(term.shown(), mark), "\r\n", "\n")
}

func (term *terminal) press(keys string) {
	term.T.Helper()
	if _, err := term.keys.WriteString(keys); err != nil {
		term.T.Fatal(err)
	}
}

func (term *terminal) state() (unix.Termios, error) {
	state, err := unix.IoctlGetTermios(int(term.window.Fd()), unix.TCGETS)
	if err != nil {
		return unix.Termios{}, err
	}
	return *state, nil
}

// echoes reports whether the window shows what is typed.
func (term *terminal) echoes() bool {
	term.T.Helper()
	state, err := unix.IoctlGetTermios(int(term.window.Fd()), unix.TCGETS)
	if err != nil {
		term.T.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// TestAPasswordIsNotShownAndAnInterruptLeavesTheTerminalAsItWas is not parallel to other tests, because
// the signal is that of their process too.
func TestAPasswordIsNotShownAndAnInterruptLeavesTheTerminalAsItWas(t *testing.T) {
	s := clitest.New(t)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "group", "Editors")
	for what, test := range map[string]struct {
		first, second string
		interrupt     bool
		want          string
		code          int
	}{
		"two that differ": {
			"Correct-horse-1\n", "Correct-horse-2\n", false,
			"password for emma: \nthe same password again: \ngatewright: the two passwords differ; nothing was changed\n", 1,
		},
		"none": {
			"\n", "", false,
			"password for emma: \ngatewright: no password given; nothing was changed\n", 1,
		},
		"an interrupt": {"", "", true, "password for emma: \n", 130},
	} {
		t.Run(what, func(t *testing.T) {
			s.T = t
			term := inTerminal(t, s)
			before, err := term.state()
			if err != nil {
				t.Fatal(err)
			}
			ended := term.start("user", "add", "emma")
			term.shows("password for emma: ")
			await.Until(t, "a terminal that shows nothing", func() bool { return !term.echoes() })
			term.press(test.first)
			if test.interrupt {
				if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
					t.Fatal(err)
				}
			}
			if test.second != "" {
				term.shows("the same password again: ")
				await.Until(t, "a terminal that shows nothing", func() bool { return !term.echoes() })
				term.press(test.second)
			}
			code := await.Next(t, "the end of the command", ended)
			after, err := term.state()
			if err != nil {
				t.Fatal(err)
			}
			if code != test.code || before != after {
				t.Errorf("the exit code is %d, the terminal shows what is typed: %v", code, term.echoes())
			}
			term.shows(strings.ReplaceAll(test.want, "\n", "\r\n"))
			if got := strings.ReplaceAll(term.shown(), "\r\n", "\n"); got != test.want {
				t.Errorf("the window shows %q", got)
			}
			// What still reads ends.
			term.press("\n")
		})
	}
	s.T = t
	if out := s.Run(0, "user", "list"); strings.Contains(out, "emma") {
		t.Errorf("a user was added: %s", out)
	}
}

// TestTheScreensOpenInATerminalAndAskAWSIfTheyAreLive sets the environment of the process, which screens
// ask for the account.
func TestTheScreensOpenInATerminalAndAskAWSIfTheyAreLive(t *testing.T) {
	fake := awstest.New(t, awstest.Options{})
	for _, variable := range fake.Env() {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	s := clitest.New(t)
	t.Setenv("GATEWRIGHT_STATE", s.State)
	s.Run(0, "init", "--name", "shop")
	s.Run(0, "add", "api", "shop", "--path", "/books", "--function", "books", "--new-function", "plain")
	s.Run(0, "add", "env", "prod", "--provider", "aws", "--region", "eu-central-1")
	empty := clitest.New(t)
	for _, test := range []struct {
		s     *clitest.Session
		args  string
		shows string
		asks  bool
	}{
		{empty, "", "› welcome", false},
		{s, "", "/books", false},
		{s, "dashboard", "/books", false},
		{s, "dashboard --env prod --theme none", "/books", false},
		{s, "dashboard --live", "/books", false},
		{s, "dashboard --env prod --live", "/books", true},
	} {
		t.Run("gatewright "+test.args, func(t *testing.T) {
			test.s.T = t
			term, before := inTerminal(t, test.s), len(fake.Calls())
			state, err := term.state()
			if err != nil {
				t.Fatal(err)
			}
			ended := term.start(strings.Fields(test.args)...)
			term.shows(test.shows)
			if test.asks {
				term.shows("as of ")
			}
			term.press("q")
			if code := await.Next(t, "the end of the screens", ended); code != 0 {
				t.Errorf("the exit code is %d", code)
			}
			if after, err := term.state(); err != nil || after != state {
				t.Errorf("the terminal is left otherwise: %v", err)
			}
			if coloured := strings.Contains(term.shown(), "\x1b[38;"); coloured == strings.Contains(test.args, "--theme none") {
				t.Errorf("the screen has colours: %v", coloured)
			}
			if n := len(fake.Calls()) - before; (n > 0) != test.asks {
				t.Errorf("AWS was asked %d times", n)
			}
		})
	}
}
