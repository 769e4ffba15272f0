package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"gatewright/flow/session"
	"gatewright/test/await"
	"gatewright/tui/dashboard/board"
	"gatewright/tui/frame"
	"gatewright/tui/frame/frametest"
	"gatewright/tui/keys"
	"gatewright/tui/layout"
	"gatewright/tui/route"
)

// commandable is the dashboard with an Update that also runs commands of a test.
type commandable struct{ *Page }

// tellMsg is a command of a test.
type tellMsg func() tea.Cmd

func (o commandable) Update(msg tea.Msg) tea.Cmd {
	if do, ok := msg.(tellMsg); ok {
		return do()
	}
	return o.Page.Update(msg)
}

// elsewhere is any other page.
type elsewhere struct{ to frame.Route }

func (elsewhere) Init() tea.Cmd            { return nil }
func (elsewhere) Update(tea.Msg) tea.Cmd   { return nil }
func (e elsewhere) View() string           { return fmt.Sprintf("elsewhere: %+v", e.to) }
func (elsewhere) SetSize(layout.Layout)    {}
func (elsewhere) Bindings() []keys.Binding { return nil }
func (elsewhere) Dirty() bool              { return false }
func (elsewhere) Typing() bool             { return false }

// screens is the dashboard of a project in the frame.
func screens(t testing.TB, dir string, writes *session.Session, theme string) (*frame.Model, *Page) {
	t.Helper()
	context, to := &frame.Context{}, route.Dashboard{}
	page := New(context, dir, writes, to)
	t.Cleanup(page.Close)
	return frame.New(frame.Options{
		Start: to, Context: context, Theme: theme, Env: []string{"TERM=xterm-256color"},
		Make: func(r frame.Route) (frame.Page, error) {
			if r == frame.Route(to) {
				return commandable{page}, nil
			}
			return elsewhere{r}, nil
		},
	}), page
}

// writing opens a session for a project.
func writing(t testing.TB, dir string) *session.Session {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state")
	s, err := session.Open(dir, func(name string) string {
		return map[string]string{"GATEWRIGHT_STATE": state, "EDITOR": "true"}[name]
	})
	must(t, err)
	t.Cleanup(func() { _ = s.Project.Close() })
	return s
}

// window is the dashboard in a terminal that runs every command to its end before the next
// key.
type window struct {
	*frametest.Terminal
	page *Page
}

// opened is the read-only dashboard of a project.
func opened(t testing.TB, dir string, w, h int) *window {
	t.Helper()
	model, page := screens(t, dir, nil, "none")
	return (&window{frametest.Open(t, model, w, h), page}).press("2")
}

// writable is the dashboard of a project with a session, on the tab of the APIs.
func writable(t testing.TB, dir string, w, h int) *window {
	t.Helper()
	model, page := screens(t, dir, writing(t, dir), "none")
	return (&window{frametest.Open(t, model, w, h), page}).press("2")
}

// press presses keys: names, or the letters of a text.
func (w *window) press(keys ...string) *window {
	w.Keys(keys...)
	return w
}

// tell runs a function inside Update.
func (w *window) tell(do func() tea.Cmd) { w.Run(frame.Announce(tellMsg(do))) }

// read reads the project again.
func (w *window) read() *window { return w.press("ctrl+r") }

// to opens the tab of a name.
func (w *window) to(name string) *window {
	w.Helper()
	return w.press(keysTo(w, w.page, name)...)
}

// keysTo are the keys that open the tab of a name, from any tab.
func keysTo(t testing.TB, p *Page, name string) []string {
	t.Helper()
	at := slices.IndexFunc(p.tabs, func(tab board.Tab) bool { return strings.EqualFold(tab.Name(), name) })
	if at < 0 {
		t.Fatalf("there is no tab %s", name)
	}
	return append([]string{"1"}, slices.Repeat([]string{">"}, at)...)
}

// at moves the cursor to the first row with a text.
func (w *window) at(text string) *window {
	w.Helper()
	w.press("g")
	for range w.page.tab().Table().Len() + 1 {
		if strings.Contains(w.cursor(), text) {
			return w
		}
		w.press("down")
	}
	w.Fatalf("no row has %q:\n%s", text, w.Screen())
	return nil
}

// cursor is the selected row as it is drawn, with single spaces.
func (w *window) cursor() string { return cursorIn(w.Screen()) }

func cursorIn(screen string) string {
	for line := range strings.Lines(screen) {
		// A row is in a pane, the first one of its line.
		if row, found := strings.CutPrefix(strings.TrimLeft(line, " │┃"), "▌ "); found {
			row, _, _ = strings.Cut(strings.ReplaceAll(row, "┃", "│"), "│")
			return strings.Join(strings.Fields(row), " ")
		}
	}
	return ""
}

// line is the first line of the window with a text, with single spaces.
func (w *window) line(text string) string {
	w.Helper()
	for line := range strings.Lines(w.Screen()) {
		if strings.Contains(line, text) {
			return strings.Join(strings.Fields(strings.Trim(line, "│┃\n")), " ")
		}
	}
	w.Fatalf("%q is not in\n%s", text, w.Screen())
	return ""
}

// yes presses the second button of a dialog.
func (w *window) yes() *window { return w.press("tab", "enter") }

// liveWindow is the dashboard with commands that run concurrently, as in the program.
type liveWindow struct {
	t        *testing.T
	model    *frame.Model
	page     *Page
	messages chan tea.Msg
	over     chan struct{}
}

// openLive opens the dashboard of a project; changing gives it a session.
func openLive(t *testing.T, dir string, changing bool) *liveWindow {
	t.Helper()
	d := &liveWindow{t: t, messages: make(chan tea.Msg), over: make(chan struct{})}
	var s *session.Session
	if changing {
		t.Setenv("GATEWRIGHT_STATE", filepath.Join(t.TempDir(), "state"))
		t.Setenv("VISUAL", "true")
		var err error
		s, err = session.Open(dir, os.Getenv)
		must(t, err)
		t.Cleanup(func() { _ = s.Project.Close() })
	}
	d.model, d.page = screens(t, dir, s, "dark")
	t.Cleanup(func() { close(d.over) })
	d.update(tea.WindowSizeMsg{Width: 120, Height: 60})
	d.run(d.model.Init())
	d.until("the project is read", func() bool { return d.page.board.Snap != nil && d.page.board.Sandbox != nil })
	return d
}

func (d *liveWindow) update(msg tea.Msg) {
	_, cmd := d.model.Update(msg)
	_ = d.model.View()
	d.run(cmd)
}

// run runs a command, and the commands in batches and sequences that it returns.
func (d *liveWindow) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() { d.deliver(cmd()) }()
}

func (d *liveWindow) deliver(msg tea.Msg) {
	list := reflect.ValueOf(msg)
	if list.IsValid() && list.Kind() == reflect.Slice && list.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		_, batch := msg.(tea.BatchMsg)
		for i := range list.Len() {
			cmd, _ := list.Index(i).Interface().(tea.Cmd)
			switch {
			case cmd == nil:
			case batch:
				d.run(cmd)
			default:
				d.deliver(cmd())
			}
		}
		return
	}
	if msg != nil {
		select {
		case d.messages <- msg:
		case <-d.over:
		}
	}
}

// until handles messages until a condition holds.
func (d *liveWindow) until(what string, so func() bool) {
	d.t.Helper()
	given := time.After(await.Limit(d.t))
	for !so() {
		select {
		case msg := <-d.messages:
			d.update(msg)
		case <-given:
			d.t.Fatalf("not so: %s; the window shows\n%s", what, d.shown())
		}
	}
}

// shown is the window as text, without spaces at the ends of lines and without empty lines.
func (d *liveWindow) shown() string {
	var lines []string
	for line := range strings.Lines(ansi.Strip(d.model.View().Content)) {
		if line = strings.TrimRight(line, " │\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// shows waits for texts in the window.
func (d *liveWindow) shows(texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		d.until("it shows "+text, func() bool { return strings.Contains(d.shown(), text) })
	}
}

// press presses keys: names, or the letters of a text.
func (d *liveWindow) press(keys ...string) {
	for _, name := range keys {
		if key, ok := frametest.Key(name); ok {
			d.update(key)
			continue
		}
		for _, r := range name {
			d.update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

// tell runs a function inside Update.
func (d *liveWindow) tell(do func() tea.Cmd) { d.run(frame.Announce(tellMsg(do))) }

// to opens the tab of a name.
func (d *liveWindow) to(name string) {
	d.t.Helper()
	d.press(keysTo(d.t, d.page, name)...)
}

// cursor is the selected row as it is drawn, with single spaces.
func (d *liveWindow) cursor() string { return cursorIn(ansi.Strip(d.model.View().Content)) }
