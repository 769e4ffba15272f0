//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// terminal is a pseudo-terminal with the program in it.
type terminal struct {
	keys    *os.File
	command *exec.Cmd
	// drawn receives the times of output.
	drawn chan time.Time
}

// open starts the program in a terminal of 120 by 36 cells.
func open(program, project string, args []string) (*terminal, error) {
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
	command.Dir, command.Env = project, environment(filepath.Dir(project))
	command.Stdin, command.Stdout, command.Stderr = window, window, window
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		return nil, err
	}
	t := &terminal{keys: keys, command: command, drawn: make(chan time.Time, 1000)}
	go t.read()
	return t, nil
}

func control(file *os.File, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), request, uintptr(argument)); errno != 0 {
		return fmt.Errorf("making a terminal: %w", errno)
	}
	return nil
}

func (t *terminal) read() {
	text := make([]byte, 1<<16)
	for {
		n, err := t.keys.Read(text)
		if err != nil {
			return
		}
		if n > 0 {
			select {
			case t.drawn <- time.Now():
			default:
			}
		}
	}
}

// press sends a key, and returns how long the program took to draw.
func (t *terminal) press(key string, patience time.Duration) (time.Duration, bool) {
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

// used is the processor time of the program.
func (t *terminal) used() (time.Duration, error) {
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

func (t *terminal) close() {
	_ = t.command.Process.Kill()
	_ = t.command.Wait()
	_ = t.keys.Close()
}
