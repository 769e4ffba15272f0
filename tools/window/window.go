//go:build linux

// Package window runs a program in a pseudo-terminal, for measurements: it presses keys, and
// sees when the program draws. It runs on Linux only.
package window

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
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

// Build builds the program of the folder in which this one was started, in another folder, and
// returns its path.
func Build(into string) (program string, err error) {
	program = filepath.Join(into, "gatewright")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program: %w: %s", err, out)
	}
	return program, nil
}

// Open starts a program in a folder, with an environment, in a window of 120 by 36 cells.
func Open(program, folder string, args, environment []string) (*Window, error) {
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	var unlocked, number int32
	if err := control(keys, syscall.TIOCSPTLCK, unsafe.Pointer(&unlocked)); err != nil {
		return nil, err
	}
	if err := control(keys, syscall.TIOCGPTN, unsafe.Pointer(&number)); err != nil {
		return nil, err
	}
	size := struct{ rows, columns, x, y uint16 }{36, 120, 0, 0}
	if err := control(keys, syscall.TIOCSWINSZ, unsafe.Pointer(&size)); err != nil {
		return nil, err
	}
	window, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = window.Close() }()
	command := exec.Command(program, args...)
	command.Dir, command.Env = folder, environment
	command.Stdin, command.Stdout, command.Stderr = window, window, window
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t := &Window{keys: keys, command: command, drawn: make(chan time.Time, 1000)}
	go t.read()
	return t, nil
}

func control(file *os.File, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(argument)); errno != 0 {
		return fmt.Errorf("making a terminal: %w", errno)
	}
	return nil
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

// Resident is the memory of a process in bytes, as the system counts it.
func Resident(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0, errors.New("the memory of a process is unknown")
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize()), err
}

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

// Used is the processor time of the program.
func (t *Window) Used() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may have spaces and parentheses.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const user, system, hertz = 11, 12, 100
	var ticks int64
	for _, at := range []int{user, system} {
		n, err := strconv.ParseInt(fields[at], 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / hertz, nil
}

// Close kills the program.
func (t *Window) Close() {
	_ = t.command.Process.Kill()
	_ = t.command.Wait()
	_ = t.keys.Close()
}
