package frame

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// execCommand is a program that has the terminal until it ends.
//
// Bubble Tea's ExecProcess may leave the window blank for good: it does not wait for the goroutine of the old
// renderer, and if that goroutine ends late, it stops the ticker of the new renderer
// (https://github.com/charmbracelet/bubbletea/issues/1778). A program that does not exist or ends at once is
// enough to cause that. So Run returns only after that goroutine has ended.
type execCommand struct {
	*exec.Cmd
	// away is true until it ends.
	away *atomic.Bool
}

func (a execCommand) Run() error {
	a.away.Store(true)
	defer a.away.Store(false)
	err := a.runUntilHangup()
	for end := time.Now().Add(rendererTimeout); rendererRuns() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return err
}

// runUntilHangup runs the program. A SIGHUP of this process is one of that program too: the
// terminal that they share is closed.
func (a execCommand) runUntilHangup() error {
	hangups := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(hangups, syscall.SIGHUP)
		defer signal.Stop(hangups)
	}
	if err := a.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- a.Wait() }()
	for {
		select {
		case err := <-ended:
			return err
		case s := <-hangups:
			_ = a.Process.Signal(s)
		}
	}
}

func (a execCommand) SetStdin(r io.Reader) {
	if a.Stdin == nil {
		if terminal, ok := r.(interface{ file() *os.File }); ok {
			r = terminal.file()
		}
		a.Stdin = r
	}
}

func (a execCommand) SetStdout(w io.Writer) {
	if a.Stdout == nil {
		a.Stdout = w
	}
}

func (a execCommand) SetStderr(w io.Writer) {
	if a.Stderr == nil {
		a.Stderr = w
	}
}

// rendererFunc is a part of the name of the function that Bubble Tea's renderer runs.
const rendererFunc = "bubbletea/v2.(*Program).startRenderer"

// rendererTimeout is how long Run waits for the renderer to end, which usually takes
// microseconds. It would not end if this process ran a second Bubble Tea program.
const rendererTimeout = 5 * time.Second

// rendererRuns reports whether the goroutine of the renderer still exists. Bubble Tea
// stops it before Run is called, but only the stacks tell when it has ended.
func rendererRuns() bool {
	var all []runtime.StackRecord
	n, ok := runtime.GoroutineProfile(nil)
	for !ok {
		all = make([]runtime.StackRecord, n+n/4+1)
		n, ok = runtime.GoroutineProfile(all)
	}
	for i := range all[:n] {
		for frames, more := runtime.CallersFrames(all[i].Stack()), true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if strings.Contains(f.Function, rendererFunc) {
				return true
			}
		}
	}
	return false
}
