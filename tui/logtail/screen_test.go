package logtail_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	tea "charm.land/bubbletea/v2"

	"gatewright/sandbox/logs"
	"gatewright/tui/app"
	"gatewright/tui/app/apptest"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/logtail"
)

func TestMain(m *testing.M) { frametest.Main(m) }

// TestALogLeadsToTheFilesThatItNames has a log whose last entry names a file of the project, which
// was compiled, and whose first names none.
func TestALogLeadsToTheFilesThatItNames(t *testing.T) {
	t.Parallel()
	dir := apptest.Library(t)
	apptest.Put(t, dir, "backend/function/books/src/shelf.ts", "throw new Error()\n")
	editor, s := frametest.NewEditor(t), apptest.Session(t, dir)
	s.Editor = editor.Command()
	term := apptest.Begin(t, app.Options{Dir: dir, Theme: "none"}, s, 100, 30)
	term.Programs = true
	var (
		reading context.Context
		closed  int
		edited  []string
	)
	tail := logtail.Of(dir, apptest.Project(t, dir).Layout, "dev", "books")
	tail.Read = func(ctx context.Context, put func(logs.Line) error, _ func(string)) error {
		reading = ctx
		return errors.Join(
			put(logs.Line{Level: logs.Info, Text: "it begins"}),
			put(logs.Line{Level: logs.Error, Text: "Error: no shelf\n    at handler (" + filepath.Join(dir, "backend/function/books/src/shelf.js") + ":1:7)"}),
			errors.New("it was interrupted"))
	}
	tail.Closed = func() { closed++ }
	tail.Edited = func(err error) tea.Cmd {
		edited = append(edited, fmt.Sprint(err))
		return nil
	}
	opens := func(tail logtail.Tail) {
		t.Helper()
		commands := tail.Open(s)().(tea.BatchMsg)
		term.Run(commands[0])
		commands[2]()
		term.Run(frame.Announce(commands[1]()))
		term.Shows("log of books in dev", "Error: no shelf", "error: it was interrupted", "following")
	}
	opens(tail)
	term.Keys("ctrl+e")
	if name, _ := editor.Opened(); name != filepath.Join(dir, "backend", "function", "books", "src", "shelf.ts") {
		t.Errorf("it opens %s", name)
	}
	editor.Fails()
	term.Keys("ctrl+e")
	if got := fmt.Sprintf("%q", edited); got != `["<nil>" "exit status 1"]` {
		t.Errorf("the editor ends with %s", got)
	}
	term.Keys("home", "ctrl+e").Shows("not available: the entry names no file of the project")
	term.Keys("y").Shows("sent to the clipboard", "9 bytes")
	if reading.Err() != nil || closed != 0 {
		t.Errorf("while it is open, reading has ended: %v, and it was closed %d times", reading.Err(), closed)
	}
	term.Keys("esc").Hides("log of books")
	if reading.Err() == nil || closed != 1 {
		t.Errorf("after that, reading has not ended, or it was closed %d times", closed)
	}

	// Without anybody who wants to know, a failure is said.
	tail.Edited = nil
	opens(tail)
	term.Keys("ctrl+e").Shows("error: the editor", "exit status 1").Keys("esc")
	tail.ReadOnly = "this one only reads"
	opens(tail)
	term.Keys("ctrl+e").Shows("not available: this one only reads")
}
