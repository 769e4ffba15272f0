// Package apptest is for tests that press keys in the whole program, and for those of
// one page that need the others around it.
package apptest

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatewright/flow/session"
	"gatewright/tui/app"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
)

var _ = flag.Bool("update", false, "write the goldens")

// Screens show a person's own time zone: here it is the same on every machine.
func init() { time.Local = time.UTC }

// Terminal is the program without a terminal.
type Terminal struct {
	*frametest.Terminal
	Dir string
	// Screens are those that the program runs.
	Screens *app.Screens
}

// Open starts the program in a folder; with nil it begins with its own first page.
func Open(t testing.TB, dir, theme string, w, h int, start frame.Route) *Terminal {
	t.Helper()
	return Begin(t, app.Options{Dir: dir, Theme: theme, Start: start}, Session(t, dir), w, h)
}

// Look opens the program in a folder where it only reads, as gatewright dashboard does.
func Look(t testing.TB, dir, theme string, w, h int, start frame.Route) *Terminal {
	t.Helper()
	return Begin(t, app.Options{Dir: dir, Theme: theme, Start: start, ReadOnly: true}, nil, w, h)
}

// Begin starts the program with options of a caller's own; without a session it only
// reads.
func Begin(t testing.TB, o app.Options, s *session.Session, w, h int) *Terminal {
	t.Helper()
	if o.Environ == nil {
		o.Environ = []string{"TERM=xterm-256color"}
	}
	all := app.New(o, s)
	t.Cleanup(all.Close)
	return &Terminal{frametest.Open(t, frame.New(all.Frame()), w, h), o.Dir, all}
}

// Session opens a folder for writing, with its drafts beside the folder.
func Session(t testing.TB, dir string) *session.Session {
	t.Helper()
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": filepath.Join(filepath.Dir(dir), "state"), "EDITOR": "true"}[name]
	})
	Must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	return s
}

// Tab goes to the tab of the dashboard of a name.
func (term *Terminal) Tab(name string) *Terminal {
	term.Helper()
	for i := range len(Tabs) + 1 {
		if text := term.Screen(); strings.Contains(text, " "+name+"]") || strings.Contains(text, " "+name+" !]") {
			return term
		}
		term.Keys(string(rune('1' + i)))
	}
	term.Fatalf("there is no tab %s:\n%s", name, term.Screen())
	return nil
}

// Tabs are those of the dashboard in their order, as goldens are named for them.
var Tabs = []string{"apis", "functions", "access", "environments", "tables", "outputs", "definitions", "activity"}

// At brings the cursor to the first row that has a text, by the filter.
func (term *Terminal) At(text string) *Terminal {
	term.Helper()
	term.Keys("home", "/", text, "enter")
	return term
}

// Side is what the window shows beside the rows, in one line.
func (term *Terminal) Side() string {
	var text []string
	for line := range strings.SplitSeq(term.Screen(), "\n") {
		if _, right, ok := strings.Cut(line, "│"); ok {
			text = append(text, strings.Fields(right)...)
		}
	}
	return strings.Join(text, " ")
}

// Must fails the test for an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
