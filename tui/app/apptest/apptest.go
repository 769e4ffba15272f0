// Package apptest is for tests that press keys in the whole program, or on one page
// together with the others.
package apptest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gatewright/flow/session"
	"gatewright/tui/app"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
)

// Screens show local time, which has to be the same on every machine.
func init() { time.Local = time.UTC }

// Terminal runs the program without a terminal.
type Terminal struct {
	*frametest.Terminal
	Dir string
	// Screens are the screens of the program.
	Screens *app.Screens
}

// Open starts the program in a folder. If start is nil, it shows its usual first page.
func Open(t testing.TB, dir, theme string, w, h int, start frame.Route) *Terminal {
	t.Helper()
	return Begin(t, app.Options{Dir: dir, Theme: theme, Start: start}, Session(t, dir), w, h)
}

// OpenReadOnly starts the program in a folder like gatewright dashboard, which only reads.
func OpenReadOnly(t testing.TB, dir, theme string, w, h int, start frame.Route) *Terminal {
	t.Helper()
	return Begin(t, app.Options{Dir: dir, Theme: theme, Start: start, ReadOnly: true}, nil, w, h)
}

// Clocked is Open with a clock, on which it depends when questions wake.
func Clocked(t testing.TB, dir string, w, h int, start frame.Route, clock func() time.Time) *Terminal {
	t.Helper()
	return begin(t, app.Options{Dir: dir, Theme: "none", Start: start}, Session(t, dir), w, h, clock)
}

// Begin starts the program with other options. Without a session (nil) it only reads.
func Begin(t testing.TB, o app.Options, s *session.Session, w, h int) *Terminal {
	t.Helper()
	return begin(t, o, s, w, h, nil)
}

func begin(t testing.TB, o app.Options, s *session.Session, w, h int, clock func() time.Time) *Terminal {
	t.Helper()
	if o.Environ == nil {
		o.Environ = []string{"TERM=xterm-256color"}
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Date(2026, 11, 25, 13, 20, 41, 0, time.UTC) }
	}
	all := app.New(o, s)
	t.Cleanup(all.Close)
	of := all.Frame()
	of.Now = clock
	return &Terminal{frametest.Open(t, frame.New(of), w, h), o.Dir, all}
}

// Session opens a folder for writing. Drafts are saved next to that folder.
func Session(t testing.TB, dir string) *session.Session {
	t.Helper()
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": filepath.Join(filepath.Dir(dir), "state"), "EDITOR": "true"}[name]
	})
	Must(t, err)
	t.Cleanup(func() {
		_ = s.Project.Close()
		// Earlier readings of the project stay open until nobody has them, and Windows
		// removes no folder that is open.
		s.Project = nil
		runtime.GC()
	})
	return s
}

// Tab opens the tab of the dashboard with a name.
func (term *Terminal) Tab(name string) *Terminal {
	term.Helper()
	term.Keys(To(name)...)
	return term
}

// To are the keys that open the tab of the dashboard with a name, from any tab.
func To(name string) []string {
	const numbered = 10
	at := slices.Index(Tabs, strings.ToLower(name))
	if at < numbered {
		return []string{fmt.Sprint((at + 1) % numbered)}
	}
	return append([]string{"0"}, slices.Repeat([]string{">"}, at-numbered+1)...)
}

// Tabs are the names of the dashboard's tabs in their order, as in the names of goldens.
var Tabs = []string{
	"map", "apis", "functions", "access", "requests", "problems", "people", "environments", "tables",
	"outputs", "definitions", "activity",
}

// At moves the cursor to the first row that has a text, with the filter.
func (term *Terminal) At(text string) *Terminal {
	term.Helper()
	term.Keys("home", "/", text, "enter")
	return term
}

// Side is the text of the side pane, joined into one line.
func (term *Terminal) Side() string {
	var text []string
	for line := range strings.SplitSeq(term.Screen(), "\n") {
		line = strings.TrimRight(line, "│┃ ")
		if at := strings.LastIndexAny(line, "│┃"); at >= 0 {
			text = append(text, strings.Fields(strings.TrimLeft(line[at:], "│┃"))...)
		}
	}
	return strings.Join(text, " ")
}

// Must fails the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
