package logtail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"gatewright/sandbox"
	"gatewright/sandbox/logs"
	"gatewright/tui/dialog"
	"gatewright/tui/frame"
	"gatewright/tui/theme"
)

// take takes what the feed brings next, and reports whether more may come.
func take(t *testing.T, f *feed) bool {
	t.Helper()
	then, ok := f.listen().(frame.ThenMsg)
	if !ok {
		t.Fatal("the feed does not answer with a function")
	}
	return then() != nil
}

func view(log *dialog.Log) string { return ansi.Strip(log.View(theme.New(theme.Dark), 80, 14)) }

func TestAllLinesReachTheLogInTheirOrder(t *testing.T) {
	t.Parallel()
	f := newFeed(dialog.NewLog("log", nil), "")
	const n = 3*batch + 7
	go func() {
		for i := range n {
			if err := f.put(context.Background(), logs.Line{Text: fmt.Sprintf("line %d.", i)}); err != nil {
				t.Error(err)
			}
		}
		f.end(sandbox.ErrNotRunning)
	}()
	for take(t, f) {
	}
	if got := f.log.Entries.Len(); got != n {
		t.Errorf("the log has %d of %d lines", got, n)
	}
	if text := view(f.log); !strings.Contains(text, fmt.Sprintf("line %d.", n-1)) || !strings.Contains(text, "no sandbox is running: these lines were kept") {
		t.Errorf("at its end the log is\n%s", text)
	}
}

func TestALogWithoutLinesSaysWhatToDo(t *testing.T) {
	t.Parallel()
	f := newFeed(dialog.NewLog("log", nil), "")
	if !take(t, f) {
		t.Error("nothing more is read")
	}
	if text := view(f.log); !strings.Contains(text, "call the function, and its lines appear here") {
		t.Errorf("while nothing comes, the log is\n%s", text)
	}
	f.end(errors.New("the disk is gone"))
	if take(t, f) {
		t.Error("after the end more is read")
	}
	if text := view(f.log); !strings.Contains(text, "error: the disk is gone") {
		t.Errorf("after an error, the log is\n%s", text)
	}
}

func TestAReaderDoesNotWaitForAClosedLog(t *testing.T) {
	t.Parallel()
	f := newFeed(dialog.NewLog("log", nil), "")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		for {
			if err := f.put(ctx, logs.Line{Text: "x"}); err != nil {
				ended <- err
				return
			}
		}
	}()
	time.Sleep(10 * time.Millisecond)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}
