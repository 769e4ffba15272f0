//go:build linux

// Package measure is what the programs that measure have in common: a project with the built program,
// servers, windows in which keys are pressed, and what the system says of processes. It runs on Linux
// only.
package measure

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Window is a pseudo-terminal with a program in it.
type Window struct {
	keys    *os.File
	command *exec.Cmd
	// drawn receives the times of output.
	drawn chan time.Time

	mu sync.Mutex
	// wanted are texts that are waited for, and seen receives the time when one of them was
	// drawn; tail is the end of what was drawn since then.
	wanted []string
	seen   chan time.Time
	tail   []byte
}

// Open starts a command in a window of 120 by 36 cells.
func Open(command *exec.Cmd) (*Window, error) {
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 36, Col: 120})
	}
	if err != nil {
		return nil, fmt.Errorf("making a terminal: %w", err)
	}
	window, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = window.Close() }()
	command.Stdin, command.Stdout, command.Stderr = window, window, window
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t := &Window{keys: keys, command: command, drawn: make(chan time.Time, 1000)}
	go t.read()
	return t, nil
}

func (t *Window) read() {
	text := make([]byte, 1<<16)
	for {
		n, err := t.keys.Read(text)
		if err != nil {
			return
		}
		if n > 0 {
			now := time.Now()
			select {
			case t.drawn <- now:
			default:
			}
			t.look(text[:n], now)
		}
	}
}

// look looks for what is waited for.
func (t *Window) look(drawn []byte, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wanted == nil {
		return
	}
	const longest = 64
	t.tail = append(t.tail, drawn...)
	for _, text := range t.wanted {
		if bytes.Contains(t.tail, []byte(text)) {
			t.wanted = nil
			t.seen <- now
			return
		}
	}
	t.tail = append(t.tail[:0], t.tail[max(0, len(t.tail)-longest):]...)
}

// Until sends a key, and returns how long it took until one of some texts was drawn; false if
// none was within patience.
func (t *Window) Until(key string, patience time.Duration, texts ...string) (time.Duration, bool) {
	t.mu.Lock()
	t.wanted, t.tail, t.seen = texts, nil, make(chan time.Time, 1)
	seen := t.seen
	t.mu.Unlock()
	began := time.Now()
	if _, err := t.keys.WriteString(key); err != nil {
		return 0, false
	}
	select {
	case at := <-seen:
		return at.Sub(began), true
	case <-time.After(patience):
		return 0, false
	}
}

// Send sends a key and does not wait.
func (t *Window) Send(key string) { _, _ = t.keys.WriteString(key) }

// PID is the process of the program.
func (t *Window) PID() int { return t.command.Process.Pid }

// Press sends a key, and returns how long the program took to draw.
func (t *Window) Press(key string, patience time.Duration) (time.Duration, bool) {
	const quiet = 30 * time.Millisecond
	for waiting := true; waiting; {
		select {
		case <-t.drawn:
		case <-time.After(quiet):
			waiting = false
		}
	}
	began := time.Now()
	if _, err := t.keys.WriteString(key); err != nil {
		return 0, false
	}
	select {
	case at := <-t.drawn:
		return at.Sub(began), true
	case <-time.After(patience):
		return 0, false
	}
}

// Close kills the program.
func (t *Window) Close() {
	_ = t.command.Process.Kill()
	_ = t.command.Wait()
	_ = t.keys.Close()
}
