package frame

import (
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// away is a command that has the terminal until it ends.
//
// Bubble Tea's ExecProcess may leave the window blank for good: it does not wait for
// the goroutine that drew until then, and where that ends late it stops the clock of
// the one that draws from now on (charmbracelet/bubbletea#1778). A command that is
// not there or ends at once is enough. So none is over here before that goroutine is.
type away struct{ *exec.Cmd }

func (a away) Run() error {
	err := a.Cmd.Run()
	for end := time.Now().Add(drawingPatience); isDrawn() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return err
}

func (a away) SetStdin(r io.Reader) {
	if a.Stdin == nil {
		a.Stdin = r
	}
}

func (a away) SetStdout(w io.Writer) {
	if a.Stdout == nil {
		a.Stdout = w
	}
}

func (a away) SetStderr(w io.Writer) {
	if a.Stderr == nil {
		a.Stderr = w
	}
}

// drawing is in the name of the function that draws what Bubble Tea shows.
const drawing = "bubbletea/v2.(*Program).startRenderer"

// drawingPatience is how long a command waits for it. It needs no more than a turn
// of the processor; only another program with screens in this process would not end.
const drawingPatience = 5 * time.Second

// isDrawn reports whether there is a goroutine that draws. It was told to end before
// the command began, and nothing but its stack says that it has.
func isDrawn() bool {
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
			if strings.Contains(f.Function, drawing) {
				return true
			}
		}
	}
	return false
}
